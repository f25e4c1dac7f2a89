// Samples made of convolutions: a stem, stages of equal blocks that halve the
// resolution and widen the channels, a linear classifier.
#include <algorithm>

#include "zoo/blocks.h"
#include "zoo/sample_kinds.h"

namespace mete {
namespace {

using Block = Value (*)(NetworkBuilder&, const Value&, const BlockOptions&);

// The differences between the kinds.
struct Style {
  Block block;
  std::vector<int64_t> kernels;
  std::vector<double> inner{1};  // BlockOptions::inner per output channel
  double squeeze = 0;            // BlockOptions::squeeze per output channel
};

// Multiples of four, as in most architectures.
int64_t Scaled(int64_t channels, double factor) {
  double scaled = static_cast<double>(channels) * factor;
  return std::max(static_cast<int64_t>(scaled) / 4, int64_t{1}) * 4;
}

// GoogLeNet's proportions: a quarter, a half, an eighth and an eighth.
Value InceptionStage(NetworkBuilder& net, const Value& x,
                     const BlockOptions& o) {
  Value y = x;
  if (o.stride == 2)
    y = net.MaxPool(x, {.kernel = 3, .stride = 2, .padding = 1});
  return InceptionBlock(net, y,
                        {.direct = Scaled(o.channels, 0.25),
                         .reduce3 = Scaled(o.channels, 0.25),
                         .conv3 = Scaled(o.channels, 0.5),
                         .reduce5 = Scaled(o.channels, 0.0625),
                         .conv5 = Scaled(o.channels, 0.125),
                         .pooled = Scaled(o.channels, 0.125)});
}

// `inner` is the growth rate.
Value DenseStage(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  Value y = x;
  if (o.stride == 2) y = DenseTransition(net, x, Scaled(x.channels(), 0.5));
  return DenseLayer(net, y,
                    {.channels = o.inner,
                     .inner = 4 * o.inner,
                     .kernel = o.kernel,
                     .activation = o.activation});
}

Activation AnyActivation(Rng& rng) {
  return rng.OneOf<Activation>({Activation::kRelu, Activation::kRelu,
                                Activation::kRelu6, Activation::kSilu,
                                Activation::kHardSwish});
}

Value Stem(NetworkBuilder& net, Rng& rng, Activation activation) {
  Value x = ConvNorm(net, net.input(),
                     {.channels = rng.Size(8, 128, 4),
                      .kernel = rng.OneOf<int64_t>({3, 3, 5, 7}),
                      .stride = rng.OneOf<int64_t>({1, 2, 2})},
                     activation);
  if (rng.OneOf<int>({1, 2, 3}) > 1) return x;
  return net.MaxPool(x, {.kernel = 3, .stride = 2, .padding = 1});
}

Candidate Stages(NetworkBuilder net, Rng& rng, const Style& style) {
  const Activation activation = AnyActivation(rng);
  const int64_t kernel = rng.OneOf(style.kernels);
  const double inner = rng.OneOf(style.inner);
  const double widen = rng.Between(1.1, 2.2);
  Value x = Stem(net, rng, activation);
  int64_t channels = x.channels();
  for (int64_t stages = rng.Size(1, 5); stages > 0; --stages) {
    channels = Scaled(channels, widen);
    const int64_t depth = rng.Size(1, 7);
    for (int64_t i = 0; i < depth; ++i) {
      // Below 4 there is nothing left to halve.
      const bool halve = i == 0 && x.sizes.back() >= 4;
      x = style.block(
          net, x,
          {.channels = channels,
           .inner = Scaled(channels, inner),
           .kernel = kernel,
           .stride = halve ? 2 : 1,
           .squeeze = style.squeeze > 0 ? Scaled(channels, style.squeeze) : 0,
           .activation = activation});
    }
  }
  Value output = net.Linear(net.Flatten(net.GlobalPool(x)),
                            rng.OneOf<int64_t>({10, 100, 1000}));
  return {std::move(net), std::move(output)};
}

Candidate Image(const std::string& name, Rng& rng, const Style& style) {
  const int64_t side = rng.Size(16, 320, 2);
  const int64_t colours = rng.OneOf<int64_t>({1, 3, 3});
  return Stages(NetworkBuilder(name, {colours, side, side}), rng, style);
}

Candidate Plain(const std::string& name, Rng& rng) {
  return Image(name, rng, {.block = PlainBlock, .kernels = {1, 3, 3, 5, 7}});
}
Candidate Basic(const std::string& name, Rng& rng) {
  return Image(name, rng, {.block = BasicBlock, .kernels = {3, 3, 5}});
}
Candidate Bottleneck(const std::string& name, Rng& rng) {
  return Image(
      name, rng,
      {.block = BottleneckBlock, .kernels = {3, 3, 5}, .inner = {0.25, 0.5}});
}
Candidate Separable(const std::string& name, Rng& rng) {
  return Image(name, rng, {.block = SeparableBlock, .kernels = {3, 5, 7}});
}
Candidate Inverted(const std::string& name, Rng& rng) {
  return Image(name, rng,
               {.block = InvertedBlock,
                .kernels = {3, 3, 5, 7},
                .inner = {1, 2, 3, 4, 6}});
}
Candidate Squeeze(const std::string& name, Rng& rng) {
  return Image(
      name, rng,
      {.block = rng.OneOf<Block>({BasicBlock, BottleneckBlock, InvertedBlock}),
       .kernels = {3, 3, 5},
       .inner = {0.5, 1, 2, 4},
       .squeeze = rng.OneOf<double>({0.0625, 0.25})});
}
Candidate Dense(const std::string& name, Rng& rng) {
  return Image(
      name, rng,
      {.block = DenseStage, .kernels = {3}, .inner = {0.125, 0.25, 0.5}});
}
Candidate Inception(const std::string& name, Rng& rng) {
  return Image(name, rng, {.block = InceptionStage, .kernels = {3}});
}

// Signals: one long axis instead of two short ones.
Candidate Conv1d(const std::string& name, Rng& rng) {
  const int64_t length = rng.Size(64, 16384, 8);
  const int64_t sensors = rng.OneOf<int64_t>({1, 1, 2, 6, 9, 40});
  const Style style{
      .block = rng.OneOf<Block>({PlainBlock, BasicBlock, SeparableBlock}),
      .kernels = {3, 5, 9, 15}};
  return Stages(NetworkBuilder(name, {sensors, length}), rng, style);
}

constexpr SampleKind kConvolutionKinds[] = {
    {"plain", 3e9, Plain},           {"basic", 3e9, Basic},
    {"bottleneck", 3e9, Bottleneck}, {"separable", 2e9, Separable},
    {"inverted", 3e9, Inverted},     {"squeeze", 3e9, Squeeze},
    {"dense", 3e9, Dense},           {"inception", 3e9, Inception},
    {"conv1d", 1e9, Conv1d},
};

}  // namespace

std::span<const SampleKind> ConvolutionKinds() { return kConvolutionKinds; }

}  // namespace mete
