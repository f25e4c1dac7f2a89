// What happens to a window before a network sees it: its scale, and while
// training small variations.
#pragma once

#include <span>
#include <string_view>

#include "support/random.h"
#include "support/result.h"

namespace mete {

enum class Normalisation {
  kZeroOne,      // 0-1: from the least to the most
  kPlusMinus,    // 1-1: the same on -1 to 1
  kMeanVariance  // mean-std: mean 0, variance 1 (of the population)
};
Result<Normalisation> ParseNormalisation(std::string_view name);

// In place. A window that does not vary becomes all zero.
void Normalise(std::span<float> window, Normalisation rule);

// Each with probability one half, in this order: noise of deviation 0.01 on
// every sample; a factor around 1 with deviation 0.01; stretched by up to 15 %
// to either side and cut or filled with zeros at one end; 20 samples in a row
// set to 0.
void Augment(std::span<float> window, Random& random);

}  // namespace mete
