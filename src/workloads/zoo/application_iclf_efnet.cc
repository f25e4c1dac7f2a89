// Tan and Le 2021, "EfficientNetV2": L as in torchvision, and B0 of the
// authors' code as the small size.
#include "zoo/application_drafts.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

constexpr Activation kEfnetActivation = Activation::kSilu;

// `repeats` blocks; the first has the stride.
struct EfnetStage {
  bool fused;  // one 3x3 convolution instead of 1x1 and depthwise
  int64_t expansion, stride, channels, repeats;
};

struct EfnetPlan {
  int64_t side, stem;
  std::vector<EfnetStage> stages;
};

// Figure 2, right.
Value EfnetFused(NetworkBuilder& net, const Value& x, const EfnetStage& stage,
                 int64_t stride) {
  const bool same = stride == 1 && x.channels() == stage.channels;
  const bool expands = stage.expansion != 1;
  Value y = ConvNorm(
      net, x,
      {.channels = expands ? x.channels() * stage.expansion : stage.channels,
       .kernel = 3,
       .stride = stride},
      kEfnetActivation);
  if (expands)
    y = ConvNorm(net, y, {.channels = stage.channels}, Activation::kNone);
  return same ? net.Add(y, x) : y;
}

Value EfnetBlock(NetworkBuilder& net, const Value& x, const EfnetStage& stage,
                 int64_t stride) {
  if (stage.fused) return EfnetFused(net, x, stage, stride);
  return InvertedBlock(net, x,
                       {.channels = stage.channels,
                        .inner = x.channels() * stage.expansion,
                        .stride = stride,
                        .squeeze = x.channels() / 4,
                        .activation = kEfnetActivation});
}

EfnetPlan EfnetPlanFor(ApplicationSize size) {
  if (size == ApplicationSize::kFull) {
    return {.side = 224,
            .stem = 32,
            .stages = {{true, 1, 1, 32, 4},
                       {true, 4, 2, 64, 7},
                       {true, 4, 2, 96, 7},
                       {false, 4, 2, 192, 10},
                       {false, 6, 1, 224, 19},
                       {false, 6, 2, 384, 25},
                       {false, 6, 1, 640, 7}}};
  }
  return {.side = 128,
          .stem = 32,
          .stages = {{true, 1, 1, 16, 1},
                     {true, 4, 2, 32, 2},
                     {true, 4, 2, 48, 2},
                     {false, 4, 2, 96, 3},
                     {false, 6, 1, 112, 5},
                     {false, 6, 2, 192, 8}}};
}

}  // namespace

NetworkDraft IclfEfnet(const std::string& name, ApplicationSize size,
                       uint64_t seed) {
  const EfnetPlan plan = EfnetPlanFor(size);
  NetworkBuilder net(name, {3, plan.side, plan.side});
  Value x = ConvNorm(net, net.input(),
                     {.channels = plan.stem, .kernel = 3, .stride = 2},
                     kEfnetActivation);
  for (const EfnetStage& stage : plan.stages) {
    for (int64_t i = 0; i < stage.repeats; ++i)
      x = EfnetBlock(net, x, stage, i == 0 ? stage.stride : 1);
  }
  x = ConvNorm(net, x, {.channels = 1280}, kEfnetActivation);
  return FinishClassifier(std::move(net), x, seed);
}

}  // namespace mete
