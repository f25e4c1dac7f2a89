// Internal to samples: the kinds of random networks, and the random choices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/random.h"
#include "zoo/network_builder.h"

namespace mete {

// Makes random choices. Uses only products, because logarithms and powers
// differ in the last bit between machines.
class Rng {
 public:
  explicit Rng(uint64_t seed) : random_(seed) {}

  // Log-uniform, in steps of 2 % from `low` up to `high`.
  double Between(double low, double high);
  // The same, rounded down to a multiple of `unit`; at least one unit.
  int64_t Size(int64_t low, int64_t high, int64_t unit = 1);

  template <typename T>
  T OneOf(const std::vector<T>& choices) {
    return choices[random_.Below(choices.size())];
  }

 private:
  Random random_;
};

// A network that may be chosen.
struct Candidate {
  NetworkBuilder net;
  Value output;
};

// A kind of random network.
struct SampleKind {
  const char* name;
  double most_macs;  // that a candidate can reach with few weights
  Candidate (*draw)(const std::string& name, Rng& rng);
};

// sample_images.cc: blocks of convolutions over images and signals.
std::span<const SampleKind> ConvolutionKinds();
// sample_sequences.cc: linear, recurrent and attention layers.
std::span<const SampleKind> SequenceKinds();

}  // namespace mete
