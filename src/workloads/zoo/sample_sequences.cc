// Samples made of linear, recurrent and attention layers.
#include "zoo/blocks.h"
#include "zoo/sample_kinds.h"

namespace mete {
namespace {

int64_t AnyClasses(Rng& rng) { return rng.OneOf<int64_t>({2, 10, 100, 1000}); }

Candidate Mlp(const std::string& name, Rng& rng) {
  NetworkBuilder net(name, {rng.Size(16, 4096)});
  const Activation activation = rng.OneOf<Activation>(
      {Activation::kRelu, Activation::kTanh, Activation::kGelu});
  Value x = net.input();
  const int64_t width = rng.Size(32, 4096, 4);
  for (int64_t layers = rng.Size(1, 10); layers > 0; --layers)
    x = net.Activate(net.Linear(x, width), activation);
  Value output = net.Linear(x, AnyClasses(rng));
  return {std::move(net), std::move(output)};
}

Candidate Recurrent(const std::string& name, Rng& rng, Cell cell) {
  const int64_t steps = rng.Size(8, 256);
  NetworkBuilder net(name, {steps, rng.Size(4, 256)});
  Value x = net.Recurrent(
      net.input(),
      {.cell = cell, .hidden = rng.Size(16, 640, 4), .layers = rng.Size(1, 4)});
  Value output = net.Linear(x, AnyClasses(rng));
  return {std::move(net), std::move(output)};
}

Candidate Lstm(const std::string& name, Rng& rng) {
  return Recurrent(name, rng, Cell::kLstm);
}
Candidate Gru(const std::string& name, Rng& rng) {
  return Recurrent(name, rng, Cell::kGru);
}

Candidate Transformer(const std::string& name, Rng& rng) {
  const int64_t heads = rng.Size(1, 12);
  const int64_t features = heads * rng.Size(16, 64, 8);
  NetworkBuilder net(name, {rng.Size(8, 384), features});
  const EncoderOptions layer{
      .heads = heads,
      .hidden = features * rng.OneOf<int64_t>({1, 2, 4, 4}),
      .activation =
          rng.OneOf<Activation>({Activation::kRelu, Activation::kGelu})};
  Value x = net.input();
  for (int64_t layers = rng.Size(1, 10); layers > 0; --layers)
    x = EncoderLayer(net, x, layer);
  return {std::move(net), std::move(x)};
}

// An MLP uses every weight once, so its work is bounded by its weights.
constexpr SampleKind kSequenceKinds[] = {
    {"mlp", 2.5e7, Mlp},
    {"lstm", 1e9, Lstm},
    {"gru", 1e9, Gru},
    {"transformer", 3e9, Transformer},
};

}  // namespace

std::span<const SampleKind> SequenceKinds() { return kSequenceKinds; }

}  // namespace mete
