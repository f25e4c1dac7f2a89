#include "zoo/blocks.h"

namespace mete {
namespace {

// The input itself, or its projection if the block changes the size.
Value Shortcut(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  if (o.stride == 1 && x.channels() == o.channels) return x;
  return ConvNorm(net, x, {.channels = o.channels, .stride = o.stride},
                  Activation::kNone);
}

Value Depthwise(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  return ConvNorm(net, x,
                  {.channels = x.channels(),
                   .kernel = o.kernel,
                   .stride = o.stride,
                   .groups = x.channels()},
                  o.activation);
}

// Adds the shortcut after gating the block's own channels.
Value Close(NetworkBuilder& net, const Value& x, Value y,
            const BlockOptions& o) {
  if (o.squeeze > 0) y = SqueezeExcite(net, y, o.squeeze, o.activation);
  Value sum = net.Add(y, Shortcut(net, x, o));
  Value out = net.Activate(sum, o.activation);
  // The shortcut is already positive: activating it again loses little.
  out.power = sum.power;
  return out;
}

Value ConvActivate(NetworkBuilder& net, const Value& x, int64_t channels,
                   int64_t kernel) {
  return net.Activate(
      net.Conv(x, {.channels = channels, .kernel = kernel, .bias = true}),
      Activation::kRelu);
}

}  // namespace

Value ConvNorm(NetworkBuilder& net, const Value& x, const ConvOptions& conv,
               Activation activation) {
  return net.Activate(net.BatchNorm(net.Conv(x, conv)), activation);
}

Value PlainBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  return ConvNorm(
      net, x, {.channels = o.channels, .kernel = o.kernel, .stride = o.stride},
      o.activation);
}

Value BasicBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  Value y = PlainBlock(net, x, o);
  y = ConvNorm(net, y, {.channels = o.channels, .kernel = o.kernel},
               Activation::kNone);
  return Close(net, x, y, o);
}

Value BottleneckBlock(NetworkBuilder& net, const Value& x,
                      const BlockOptions& o) {
  Value y = ConvNorm(net, x, {.channels = o.inner}, o.activation);
  y = ConvNorm(net, y,
               {.channels = o.inner, .kernel = o.kernel, .stride = o.stride},
               o.activation);
  y = ConvNorm(net, y, {.channels = o.channels}, Activation::kNone);
  return Close(net, x, y, o);
}

Value SeparableBlock(NetworkBuilder& net, const Value& x,
                     const BlockOptions& o) {
  return ConvNorm(net, Depthwise(net, x, o), {.channels = o.channels},
                  o.activation);
}

Value InvertedBlock(NetworkBuilder& net, const Value& x,
                    const BlockOptions& o) {
  Value y = x;
  if (o.inner != x.channels())
    y = ConvNorm(net, y, {.channels = o.inner}, o.activation);
  y = Depthwise(net, y, o);
  if (o.squeeze > 0) y = SqueezeExcite(net, y, o.squeeze, o.activation);
  y = ConvNorm(net, y, {.channels = o.channels}, Activation::kNone);
  bool same = o.stride == 1 && x.channels() == o.channels;
  return same ? net.Add(y, x) : y;
}

Value SqueezeExcite(NetworkBuilder& net, const Value& x, int64_t squeeze,
                    Activation activation) {
  Value y = net.GlobalPool(x);
  y = net.Activate(net.Conv(y, {.channels = squeeze, .bias = true}),
                   activation);
  y = net.Conv(y, {.channels = x.channels(), .bias = true});
  return net.Multiply(x, net.Sigmoid(y));
}

Value DenseLayer(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  Value y = net.Activate(net.BatchNorm(x), o.activation);
  y = ConvNorm(net, y, {.channels = o.inner}, o.activation);
  y = net.Conv(y, {.channels = o.channels, .kernel = o.kernel});
  return net.Concat({x, y});
}

Value DenseTransition(NetworkBuilder& net, const Value& x, int64_t channels) {
  Value y = net.Activate(net.BatchNorm(x), Activation::kRelu);
  return net.AveragePool(net.Conv(y, {.channels = channels}), {});
}

Value InceptionBlock(NetworkBuilder& net, const Value& x,
                     const InceptionOptions& o) {
  constexpr Activation kRelu = Activation::kRelu;
  Value direct = ConvNorm(net, x, {.channels = o.direct}, kRelu);
  Value three = ConvNorm(net, x, {.channels = o.reduce3}, kRelu);
  three = ConvNorm(net, three, {.channels = o.conv3, .kernel = 3}, kRelu);
  Value five = ConvNorm(net, x, {.channels = o.reduce5}, kRelu);
  five = ConvNorm(net, five, {.channels = o.conv5, .kernel = 3}, kRelu);
  Value pooled =
      net.MaxPool(x, {.kernel = 3, .stride = 1, .padding = 1, .ceil = true});
  pooled = ConvNorm(net, pooled, {.channels = o.pooled}, kRelu);
  return net.Concat({direct, three, five, pooled});
}

Value FireBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o) {
  Value squeezed = ConvActivate(net, x, o.inner, 1);
  return net.Concat({ConvActivate(net, squeezed, o.channels / 2, 1),
                     ConvActivate(net, squeezed, o.channels / 2, o.kernel)});
}

Value EncoderLayer(NetworkBuilder& net, const Value& x,
                   const EncoderOptions& o) {
  Value y = net.LayerNorm(net.Add(x, net.SelfAttention(x, o.heads)));
  Value inside = net.Activate(net.Linear(y, o.hidden), o.activation);
  return net.LayerNorm(net.Add(y, net.Linear(inside, y.sizes.back())));
}

NetworkDraft FinishClassifier(NetworkBuilder net, const Value& x,
                              uint64_t seed) {
  Value output = net.Linear(net.Flatten(net.GlobalPool(x)), 1000);
  return std::move(net).Finish(output, seed);
}

}  // namespace mete
