// GoogLeNet and SqueezeNet: parallel convolutions.
#include "zoo/architectures.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

constexpr Activation kRelu = Activation::kRelu;
constexpr PoolOptions kHalve{.kernel = 3, .stride = 2, .ceil = true};

// The end of SqueezeNet: a convolution to one channel per class, then the mean.
NetworkDraft ClassifyByConv(NetworkBuilder net, const Value& x, uint64_t seed) {
  Value y = net.Activate(net.Conv(x, {.channels = 1000, .bias = true}), kRelu);
  Value output = net.Flatten(net.GlobalPool(y));
  return std::move(net).Finish(output, seed);
}

Value Fires(NetworkBuilder& net, Value x,
            const std::vector<BlockOptions>& fires) {
  for (const BlockOptions& fire : fires) x = FireBlock(net, x, fire);
  return x;
}

constexpr BlockOptions Fire(int64_t squeezed, int64_t channels) {
  return {.channels = channels, .inner = squeezed};
}

}  // namespace

// Szegedy et al. 2015, table 1, without the auxiliary classifiers, which are
// only used in training.
NetworkDraft GoogLeNet(uint64_t seed) {
  NetworkBuilder net("googlenet", {3, 224, 224});
  Value x = ConvNorm(net, net.input(),
                     {.channels = 64, .kernel = 7, .stride = 2}, kRelu);
  x = ConvNorm(net, net.MaxPool(x, kHalve), {.channels = 64}, kRelu);
  x = ConvNorm(net, x, {.channels = 192, .kernel = 3}, kRelu);
  x = net.MaxPool(x, kHalve);
  x = InceptionBlock(net, x, {64, 96, 128, 16, 32, 32});
  x = InceptionBlock(net, x, {128, 128, 192, 32, 96, 64});
  x = net.MaxPool(x, kHalve);
  x = InceptionBlock(net, x, {192, 96, 208, 16, 48, 64});
  x = InceptionBlock(net, x, {160, 112, 224, 24, 64, 64});
  x = InceptionBlock(net, x, {128, 128, 256, 24, 64, 64});
  x = InceptionBlock(net, x, {112, 144, 288, 32, 64, 64});
  x = InceptionBlock(net, x, {256, 160, 320, 32, 128, 128});
  x = net.MaxPool(x, {.kernel = 2, .stride = 2, .ceil = true});
  x = InceptionBlock(net, x, {256, 160, 320, 32, 128, 128});
  x = InceptionBlock(net, x, {384, 192, 384, 48, 128, 128});
  Value output = net.Linear(net.Flatten(net.GlobalPool(x)), 1000);
  return std::move(net).Finish(output, seed);
}

// Iandola et al. 2016, table 1.
NetworkDraft SqueezeNet10(uint64_t seed) {
  NetworkBuilder net("squeezenet1.0", {3, 224, 224});
  Value x = net.Conv(
      net.input(),
      {.channels = 96, .kernel = 7, .stride = 2, .padding = 0, .bias = true});
  x = net.MaxPool(net.Activate(x, kRelu), kHalve);
  x = Fires(net, x, {Fire(16, 128), Fire(16, 128), Fire(32, 256)});
  x = net.MaxPool(x, kHalve);
  x = Fires(net, x,
            {Fire(32, 256), Fire(48, 384), Fire(48, 384), Fire(64, 512)});
  x = FireBlock(net, net.MaxPool(x, kHalve), Fire(64, 512));
  return ClassifyByConv(std::move(net), x, seed);
}

// The authors' release 1.1: 2.4 times less computation, equally accurate.
NetworkDraft SqueezeNet11(uint64_t seed) {
  NetworkBuilder net("squeezenet1.1", {3, 224, 224});
  Value x = net.Conv(
      net.input(),
      {.channels = 64, .kernel = 3, .stride = 2, .padding = 0, .bias = true});
  x = net.MaxPool(net.Activate(x, kRelu), kHalve);
  x = Fires(net, x, {Fire(16, 128), Fire(16, 128)});
  x = Fires(net, net.MaxPool(x, kHalve), {Fire(32, 256), Fire(32, 256)});
  x = Fires(net, net.MaxPool(x, kHalve),
            {Fire(48, 384), Fire(48, 384), Fire(64, 512), Fire(64, 512)});
  return ClassifyByConv(std::move(net), x, seed);
}

}  // namespace mete
