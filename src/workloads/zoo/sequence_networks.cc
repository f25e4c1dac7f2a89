// Networks over vectors, signals and sequences.
#include "zoo/architectures.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

// Activity recognition from 128 steps of 9 motion sensors, a common small task
// for recurrent networks on devices.
NetworkDraft RecurrentClassifier(const char* name, Cell cell, uint64_t seed) {
  NetworkBuilder net(name, {128, 9});
  Value x =
      net.Recurrent(net.input(), {.cell = cell, .hidden = 128, .layers = 2});
  Value output = net.Linear(x, 6);
  return std::move(net).Finish(output, seed);
}

}  // namespace

// Handwritten digits through two hidden layers of 512.
NetworkDraft Mlp(uint64_t seed) {
  NetworkBuilder net("mlp", {784});
  Value x = net.Activate(net.Linear(net.input(), 512), Activation::kRelu);
  x = net.Activate(net.Linear(x, 512), Activation::kRelu);
  Value output = net.Linear(x, 10);
  return std::move(net).Finish(output, seed);
}

// Dai et al. 2017, "Very deep convolutional networks for raw waveforms",
// network M5 at a quarter of its width: one second of speech at 8 kHz.
NetworkDraft Cnn1d(uint64_t seed) {
  NetworkBuilder net("cnn1d", {1, 8000});
  const PoolOptions pool{.kernel = 4, .stride = 4};
  auto stage = [&](const Value& x, ConvOptions conv) {
    conv.padding = 0;
    conv.bias = true;
    return net.MaxPool(ConvNorm(net, x, conv, Activation::kRelu), pool);
  };
  Value x = stage(net.input(), {.channels = 32, .kernel = 80, .stride = 16});
  for (int64_t channels : {32, 64, 64})
    x = stage(x, {.channels = channels, .kernel = 3});
  Value output = net.Linear(net.Flatten(net.GlobalPool(x)), 35);
  return std::move(net).Finish(output, seed);
}

NetworkDraft Lstm(uint64_t seed) {
  return RecurrentClassifier("lstm", Cell::kLstm, seed);
}
NetworkDraft Gru(uint64_t seed) {
  return RecurrentClassifier("gru", Cell::kGru, seed);
}

// The encoder of the base network of Vaswani et al. 2017, table 3, over 128
// embedded tokens.
NetworkDraft TransformerEncoder(uint64_t seed) {
  NetworkBuilder net("transformer", {128, 512});
  Value x = net.input();
  for (int layer = 0; layer < 6; ++layer)
    x = EncoderLayer(net, x, {.heads = 8, .hidden = 2048});
  return std::move(net).Finish(x, seed);
}

}  // namespace mete
