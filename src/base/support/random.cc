#include "support/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "support/check.h"

namespace mete {
namespace {

uint64_t SplitMix(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) word = SplitMix(seed);
}

uint64_t Random::Next() {
  uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

uint64_t Random::Below(uint64_t bound) {
  CHECK(bound > 0) << "empty range";
  // Reject the incomplete last block, so that every value is equally likely.
  uint64_t limit = ~uint64_t{0} - ~uint64_t{0} % bound;
  uint64_t draw = Next();
  while (draw >= limit) draw = Next();
  return draw % bound;
}

double Random::Normal() {
  double radius = std::sqrt(-2 * std::log(1 - Uniform()));
  return radius * std::cos(2 * std::numbers::pi * Uniform());
}

// FNV-1a over the name, mixed with the seed.
uint64_t DeriveSeed(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  uint64_t state = seed ^ hash;
  return SplitMix(state);
}

}  // namespace mete
