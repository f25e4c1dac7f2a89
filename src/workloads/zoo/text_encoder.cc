#include "zoo/text_encoder.h"

#include <cmath>
#include <numeric>

#include "zoo/blocks.h"

namespace mete {
namespace {

constexpr int64_t kWords = 30522;  // of bert-base-uncased
constexpr int64_t kPositions = 512;
constexpr int64_t kSegments = 2;

// Uniform weights of power 1.
std::string EmbeddingTable(NetworkBuilder& net, const char* name, int64_t rows,
                           int64_t features) {
  return net.Weight(name, {rows, features}, UniformFill{std::sqrt(3.0)});
}

// Words, positions and the first segment. The last two are the same for every
// text, so they have no batch axis and are broadcast.
Value EmbedText(NetworkBuilder& net, const TextEncoderOptions& o) {
  Value words = net.Emit(
      "Gather",
      {EmbeddingTable(net, "words", kWords, o.features), net.input().name},
      {{o.tokens, o.features}});
  std::vector<int64_t> numbers(static_cast<size_t>(o.tokens));
  std::iota(numbers.begin(), numbers.end(), 0);
  Value positions =
      net.Emit("Gather",
               {EmbeddingTable(net, "positions", kPositions, o.features),
                net.Integers(numbers)},
               {{o.tokens, o.features}});
  Value segment =
      net.Emit("Gather",
               {EmbeddingTable(net, "segments", kSegments, o.features),
                net.Integers({0})},
               {{1, o.features}});
  Value sum = net.Add(words, positions);
  Value all = net.Emit("Add", {sum.name, segment.name}, {sum.sizes, 3});
  return net.LayerNorm(all);
}

// The first token stands for the text.
Value PoolText(NetworkBuilder& net, const Value& x) {
  Value first = net.Emit("Gather", {x.name, net.Integers({0})},
                         {{1, x.sizes[1]}}, {{"axis", int64_t{1}}});
  Value flat =
      net.Emit("Squeeze", {first.name, net.Integers({1})}, {{x.sizes[1]}});
  return net.Activate(net.Linear(flat, x.sizes[1]), Activation::kTanh);
}

}  // namespace

NetworkDraft DraftTextEncoder(const std::string& name,
                              const TextEncoderOptions& options,
                              uint64_t seed) {
  NetworkBuilder net(name, {options.tokens}, ElementType::kInt64);
  Value x = EmbedText(net, options);
  for (int64_t layer = 0; layer < options.layers; ++layer) {
    x = EncoderLayer(net, x,
                     {.heads = options.heads,
                      .hidden = options.hidden,
                      .activation = Activation::kGelu});
  }
  Value output = net.Linear(PoolText(net, x), options.labels);
  return std::move(net).Finish(output, seed);
}

}  // namespace mete
