// Mehta and Rastegari 2022, "MobileViT", table 4: S, and XXS as the small size.
#include <array>
#include <cmath>

#include "zoo/application_drafts.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

constexpr Activation kMvitActivation = Activation::kSilu;
constexpr int64_t kMvitHeads = 4;

// Channels of the stages, and features inside the three attention blocks.
struct MvitPlan {
  int64_t side;
  int64_t expansion;
  std::array<int64_t, 7> channels;
  std::array<int64_t, 3> features;
};

Value MvitInverted(NetworkBuilder& net, const Value& x, const MvitPlan& plan,
                   int64_t channels, int64_t stride) {
  return InvertedBlock(net, x,
                       {.channels = channels,
                        .inner = x.channels() * plan.expansion,
                        .stride = stride,
                        .activation = kMvitActivation});
}

// {features, h, w} to {4, h/2 * w/2, features}: the pixels at the same place of
// all 2x2 patches form a sequence.
Value MvitUnfold(NetworkBuilder& net, const Value& x) {
  const int64_t features = x.sizes[0], h = x.sizes[1], w = x.sizes[2];
  Value split = net.Reshape(x, {features, h / 2, 2, w / 2, 2});
  Value turned = net.Transpose(split, {0, 3, 5, 2, 4, 1});
  return net.Reshape(turned, {4, h / 2 * (w / 2), features});
}

Value MvitFold(NetworkBuilder& net, const Value& x, int64_t h, int64_t w) {
  const int64_t features = x.sizes[2];
  Value split = net.Reshape(x, {2, 2, h / 2, w / 2, features});
  Value turned = net.Transpose(split, {0, 5, 3, 1, 4, 2});
  return net.Reshape(turned, {features, h, w});
}

// Self-attention over each of the four sequences.
Value MvitAttention(NetworkBuilder& net, const Value& x) {
  const int64_t places = x.sizes[0], steps = x.sizes[1], features = x.sizes[2];
  const int64_t depth = features / kMvitHeads;
  auto project = [&] {
    return net.Reshape(net.Linear(x, features),
                       {places, steps, kMvitHeads, depth});
  };
  Value query = net.Transpose(project(), {0, 1, 3, 2, 4});
  Value key = net.Transpose(project(), {0, 1, 3, 4, 2});
  Value value = net.Transpose(project(), {0, 1, 3, 2, 4});
  Value scores = net.Product(query, key, static_cast<double>(depth));
  const double scale = 1 / std::sqrt(static_cast<double>(depth));
  Value scaled =
      net.Emit("Mul", {scores.name, net.Real(scale)}, {scores.sizes});
  Value share = net.Emit("Softmax", {scaled.name}, {scores.sizes},
                         {{"axis", int64_t{-1}}});
  const double power = std::min(2.7 / static_cast<double>(steps), 1.0);
  Value mixed = net.Product(share, value, power);
  Value joined = net.Reshape(net.Transpose(mixed, {0, 1, 3, 2, 4}),
                             {places, steps, features});
  return net.Linear(joined, features);
}

// An encoder layer with normalization before each part.
Value MvitEncoder(NetworkBuilder& net, const Value& x) {
  const int64_t features = x.sizes[2];
  Value y = net.Add(x, MvitAttention(net, net.LayerNorm(x)));
  Value inside =
      net.Activate(net.Linear(net.LayerNorm(y), 2 * features), kMvitActivation);
  return net.Add(y, net.Linear(inside, features));
}

// Figure 1b: local convolution, attention over patches, fusion with the input.
Value MvitBlock(NetworkBuilder& net, const Value& x, int64_t features,
                int layers) {
  Value y = ConvNorm(net, x, {.channels = x.channels(), .kernel = 3},
                     kMvitActivation);
  y = net.Conv(y, {.channels = features});
  Value sequences = MvitUnfold(net, y);
  for (int layer = 0; layer < layers; ++layer)
    sequences = MvitEncoder(net, sequences);
  y = MvitFold(net, net.LayerNorm(sequences), x.sizes[1], x.sizes[2]);
  y = ConvNorm(net, y, {.channels = x.channels()}, kMvitActivation);
  return ConvNorm(net, net.Concat({x, y}),
                  {.channels = x.channels(), .kernel = 3}, kMvitActivation);
}

constexpr MvitPlan kMvitS{.side = 256,
                          .expansion = 4,
                          .channels = {16, 32, 64, 96, 128, 160, 640},
                          .features = {144, 192, 240}};
constexpr MvitPlan kMvitXxs{.side = 192,
                            .expansion = 2,
                            .channels = {16, 16, 24, 48, 64, 80, 320},
                            .features = {64, 80, 96}};

}  // namespace

NetworkDraft IclfMvit(const std::string& name, ApplicationSize size,
                      uint64_t seed) {
  const MvitPlan& plan = size == ApplicationSize::kFull ? kMvitS : kMvitXxs;
  constexpr std::array<int, 3> kLayers{2, 4, 3};
  NetworkBuilder net(name, {3, plan.side, plan.side});
  Value x = ConvNorm(net, net.input(),
                     {.channels = plan.channels[0], .kernel = 3, .stride = 2},
                     kMvitActivation);
  x = MvitInverted(net, x, plan, plan.channels[1], 1);
  for (int64_t stride : {2, 1, 1})
    x = MvitInverted(net, x, plan, plan.channels[2], stride);
  for (size_t stage = 0; stage < 3; ++stage) {
    x = MvitInverted(net, x, plan, plan.channels[3 + stage], 2);
    x = MvitBlock(net, x, plan.features[stage], kLayers[stage]);
  }
  x = ConvNorm(net, x, {.channels = plan.channels[6]}, kMvitActivation);
  return FinishClassifier(std::move(net), x, seed);
}

}  // namespace mete
