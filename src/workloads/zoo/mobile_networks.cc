// MobileNet and EfficientNet: depthwise convolutions.
#include "zoo/architectures.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

// `repeats` inverted blocks; the first has the stride.
struct Stage {
  int64_t expansion, kernel, stride, channels, repeats;
};

// What distinguishes the two networks made of inverted blocks.
struct InvertedPlan {
  const char* name;
  Activation activation;
  bool squeeze;
  std::vector<Stage> stages;
};

NetworkDraft Inverted(const InvertedPlan& plan, uint64_t seed) {
  NetworkBuilder net(plan.name, {3, 224, 224});
  Value x =
      ConvNorm(net, net.input(), {.channels = 32, .kernel = 3, .stride = 2},
               plan.activation);
  for (const Stage& stage : plan.stages) {
    for (int64_t i = 0; i < stage.repeats; ++i) {
      x = InvertedBlock(net, x,
                        {.channels = stage.channels,
                         .inner = x.channels() * stage.expansion,
                         .kernel = stage.kernel,
                         .stride = i == 0 ? stage.stride : 1,
                         .squeeze = plan.squeeze ? x.channels() / 4 : 0,
                         .activation = plan.activation});
    }
  }
  x = ConvNorm(net, x, {.channels = 1280}, plan.activation);
  return FinishClassifier(std::move(net), x, seed);
}

}  // namespace

// Howard et al. 2017, table 1.
NetworkDraft MobileNetV1(uint64_t seed) {
  NetworkBuilder net("mobilenet-v1", {3, 224, 224});
  Value x =
      ConvNorm(net, net.input(), {.channels = 32, .kernel = 3, .stride = 2},
               Activation::kRelu);
  x = SeparableBlock(net, x, {.channels = 64});
  for (int64_t channels : {128, 256, 512, 1024}) {
    x = SeparableBlock(net, x, {.channels = channels, .stride = 2});
    const int repeats = channels == 512 ? 5 : 1;
    for (int i = 0; i < repeats; ++i)
      x = SeparableBlock(net, x, {.channels = channels});
  }
  return FinishClassifier(std::move(net), x, seed);
}

// Sandler et al. 2018, table 2.
NetworkDraft MobileNetV2(uint64_t seed) {
  return Inverted({.name = "mobilenet-v2",
                   .activation = Activation::kRelu6,
                   .squeeze = false,
                   .stages = {{1, 3, 1, 16, 1},
                              {6, 3, 2, 24, 2},
                              {6, 3, 2, 32, 3},
                              {6, 3, 2, 64, 4},
                              {6, 3, 1, 96, 3},
                              {6, 3, 2, 160, 3},
                              {6, 3, 1, 320, 1}}},
                  seed);
}

// Tan and Le 2019, "EfficientNet", table 1.
NetworkDraft EfficientNetB0(uint64_t seed) {
  return Inverted({.name = "efficientnet-b0",
                   .activation = Activation::kSilu,
                   .squeeze = true,
                   .stages = {{1, 3, 1, 16, 1},
                              {6, 3, 2, 24, 2},
                              {6, 5, 2, 40, 2},
                              {6, 3, 2, 80, 3},
                              {6, 5, 1, 112, 3},
                              {6, 5, 2, 192, 4},
                              {6, 3, 1, 320, 1}}},
                  seed);
}

}  // namespace mete
