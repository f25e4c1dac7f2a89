// ResNet and DenseNet: shortcuts by addition and by concatenation.
#include "zoo/architectures.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

// The first layers of both families: 224x224 down to 56x56.
Value Stem(NetworkBuilder& net) {
  Value x =
      ConvNorm(net, net.input(), {.channels = 64, .kernel = 7, .stride = 2},
               Activation::kRelu);
  return net.MaxPool(x, {.kernel = 3, .stride = 2, .padding = 1});
}

using Block = Value (*)(NetworkBuilder&, const Value&, const BlockOptions&);

// He et al. 2016, table 1: `depth[i]` blocks in stage i; their output is
// `expansion` times as wide as their inside.
struct ResNetPlan {
  const char* name;
  Block block;
  int64_t expansion;
  std::vector<int> depth;
};

NetworkDraft ResNet(const ResNetPlan& plan, uint64_t seed) {
  NetworkBuilder net(plan.name, {3, 224, 224});
  Value x = Stem(net);
  int64_t width = 64;
  for (size_t stage = 0; stage < plan.depth.size(); ++stage, width *= 2) {
    for (int i = 0; i < plan.depth[stage]; ++i) {
      x = plan.block(net, x,
                     {.channels = width * plan.expansion,
                      .inner = width,
                      .stride = stage > 0 && i == 0 ? 2 : 1});
    }
  }
  return FinishClassifier(std::move(net), x, seed);
}

}  // namespace

NetworkDraft ResNet18(uint64_t seed) {
  return ResNet({"resnet18", BasicBlock, 1, {2, 2, 2, 2}}, seed);
}
NetworkDraft ResNet34(uint64_t seed) {
  return ResNet({"resnet34", BasicBlock, 1, {3, 4, 6, 3}}, seed);
}
NetworkDraft ResNet50(uint64_t seed) {
  return ResNet({"resnet50", BottleneckBlock, 4, {3, 4, 6, 3}}, seed);
}

// Huang et al. 2017, table 1, growth rate 32.
NetworkDraft DenseNet121(uint64_t seed) {
  const std::vector<int> depth{6, 12, 24, 16};
  NetworkBuilder net("densenet121", {3, 224, 224});
  Value x = Stem(net);
  for (size_t stage = 0; stage < depth.size(); ++stage) {
    if (stage > 0) x = DenseTransition(net, x, x.channels() / 2);
    for (int i = 0; i < depth[stage]; ++i)
      x = DenseLayer(net, x, {.channels = 32, .inner = 128});
  }
  x = net.Activate(net.BatchNorm(x), Activation::kRelu);
  return FinishClassifier(std::move(net), x, seed);
}

}  // namespace mete
