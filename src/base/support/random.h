// Seeded random numbers that are identical on every machine and compiler,
// unlike the distributions of <random>.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace mete {

// xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number
// generators", 2021), seeded through splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed);

  uint64_t Next();
  // Uniform in [0, 1).
  double Uniform();
  // Uniform in [0, bound); bound > 0.
  uint64_t Below(uint64_t bound);
  // Standard normal (Box-Muller; the second value is discarded to keep no
  // hidden state).
  double Normal();

 private:
  std::array<uint64_t, 4> state_;
};

// A seed for the part of an experiment called `name`, so that adding a part
// does not change the numbers of the others.
uint64_t DeriveSeed(uint64_t seed, std::string_view name);

// Uniform random permutation (Fisher and Yates).
template <typename Item>
void Shuffle(std::vector<Item>& items, Random& random) {
  for (size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.Below(i)]);
  }
}

}  // namespace mete
