// LeNet-5, AlexNet, VGG: sequential convolutions, then large linear layers.
#include "zoo/architectures.h"
#include "zoo/network_builder.h"

namespace mete {
namespace {

Value ConvRelu(NetworkBuilder& net, const Value& x, ConvOptions conv) {
  conv.bias = true;
  return net.Activate(net.Conv(x, conv), Activation::kRelu);
}

// The three linear layers at the end of AlexNet and VGG. Their adaptive pool is
// omitted: at 224x224 its input already has the size of its output.
Value LinearHead(NetworkBuilder& net, Value x) {
  x = net.Activate(net.Linear(net.Flatten(x), 4096), Activation::kRelu);
  x = net.Activate(net.Linear(x, 4096), Activation::kRelu);
  return net.Linear(x, 1000);
}

// Simonyan and Zisserman 2015, table 1: `depth[i]` convolutions in stage i.
NetworkDraft Vgg(const char* name, const std::vector<int>& depth,
                 uint64_t seed) {
  constexpr int64_t kChannels[] = {64, 128, 256, 512, 512};
  NetworkBuilder net(name, {3, 224, 224});
  Value x = net.input();
  for (size_t stage = 0; stage < depth.size(); ++stage) {
    for (int i = 0; i < depth[stage]; ++i)
      x = ConvRelu(net, x, {.channels = kChannels[stage], .kernel = 3});
    x = net.MaxPool(x, {});
  }
  Value output = LinearHead(net, x);
  return std::move(net).Finish(output, seed);
}

}  // namespace

// LeCun et al. 1998, with every map of layer C3 connected to all of S2, as is
// common today.
NetworkDraft LeNet5(uint64_t seed) {
  constexpr Activation kTanh = Activation::kTanh;
  NetworkBuilder net("lenet5", {1, 32, 32});
  Value x = net.input();
  for (int64_t channels : {6, 16}) {
    x = net.Conv(
        x, {.channels = channels, .kernel = 5, .padding = 0, .bias = true});
    x = net.AveragePool(net.Activate(x, kTanh), {});
  }
  x = net.Activate(net.Linear(net.Flatten(x), 120), kTanh);
  x = net.Activate(net.Linear(x, 84), kTanh);
  Value output = net.Linear(x, 10);
  return std::move(net).Finish(output, seed);
}

// Krizhevsky 2014, "One weird trick", as in torchvision.
NetworkDraft AlexNet(uint64_t seed) {
  NetworkBuilder net("alexnet", {3, 224, 224});
  const PoolOptions pool{.kernel = 3, .stride = 2};
  Value x = ConvRelu(net, net.input(),
                     {.channels = 64, .kernel = 11, .stride = 4, .padding = 2});
  x = ConvRelu(net, net.MaxPool(x, pool), {.channels = 192, .kernel = 5});
  x = net.MaxPool(x, pool);
  for (int64_t channels : {384, 256, 256})
    x = ConvRelu(net, x, {.channels = channels, .kernel = 3});
  Value output = LinearHead(net, net.MaxPool(x, pool));
  return std::move(net).Finish(output, seed);
}

NetworkDraft Vgg11(uint64_t seed) {
  return Vgg("vgg11", {1, 1, 2, 2, 2}, seed);
}
NetworkDraft Vgg16(uint64_t seed) {
  return Vgg("vgg16", {2, 2, 3, 3, 3}, seed);
}

}  // namespace mete
