// Transforms a window before a network sees it: scaling, and random variations
// in training.
#pragma once

#include <span>
#include <string_view>

#include "support/random.h"
#include "support/result.h"

namespace mete {

// How windows are scaled.
enum class Normalisation {
  kZeroOne,      // 0-1: minimum to 0, maximum to 1
  kPlusMinus,    // 1-1: minimum to -1, maximum to 1
  kMeanVariance  // mean-std: mean 0, variance 1 (of the population)
};
Result<Normalisation> ParseNormalisation(std::string_view name);

// In place. A constant window becomes all zero.
void Normalise(std::span<float> window, Normalisation rule);

// Each with probability one half, in this order: noise with standard deviation
// 0.01 on every sample; a factor around 1 with standard deviation 0.01;
// stretching by up to 15 % either way, cropped or zero-padded at one end; 20
// consecutive samples set to 0.
void Augment(std::span<float> window, Random& random);

}  // namespace mete
