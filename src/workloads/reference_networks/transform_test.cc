#include "reference_networks/transform.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mete {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;

std::vector<float> Normalised(std::vector<float> window, Normalisation rule) {
  Normalise(window, rule);
  return window;
}

TEST(Normalise, ScalesByItsRule) {
  EXPECT_THAT(Normalised({1, 2, 5}, Normalisation::kZeroOne),
              ElementsAre(0, 0.25, 1));
  EXPECT_THAT(Normalised({1, 2, 5}, Normalisation::kPlusMinus),
              ElementsAre(-1, -0.5, 1));
  EXPECT_THAT(Normalised({1, 3}, Normalisation::kMeanVariance),
              ElementsAre(-1, 1));
}

TEST(Normalise, SetsAConstantWindowToZero) {
  for (const char* name : {"0-1", "1-1", "mean-std"}) {
    EXPECT_THAT(Normalised({7, 7, 7}, ParseNormalisation(name).value()),
                Each(0.0F));
  }
}

// Non-zero everywhere, and without a step at its ends.
std::vector<float> Wave() {
  std::vector<float> wave(1024);
  for (size_t n = 0; n < wave.size(); ++n) {
    wave[n] = 2 + std::sin(0.0490873852F * static_cast<float>(n));
  }
  return wave;
}

// Over many draws each variation occurs about half the time.
TEST(Augment, AppliesEachOfFourVariationsHalfTheTime) {
  constexpr int kDraws = 2000;
  int cropped = 0;
  int untouched = 0;
  int padded = 0;
  for (int i = 0; i < kDraws; ++i) {
    Random random(static_cast<uint64_t>(i));
    std::vector<float> window = Wave();
    Augment(window, random);
    auto zeros = std::ranges::count(window, 0.0F);
    cropped += zeros == 20 ? 1 : 0;
    padded += window.front() == 0 || window.back() == 0 ? 1 : 0;
    untouched += window == Wave() ? 1 : 0;
  }
  // Cropped alone: 1/2 by 1 - 1/4 not padded. Padded: stretched (1/2) to less
  // (1/2). Untouched: 1/16.
  EXPECT_NEAR(cropped, kDraws * 0.375, kDraws * 0.04);
  EXPECT_NEAR(padded, kDraws * 0.25, kDraws * 0.04);
  EXPECT_NEAR(untouched, kDraws / 16.0, kDraws * 0.02);
}

// Without stretching or cropping, only a factor and noise remain.
TEST(Augment, VariesByOnePercent) {
  std::vector<double> factors;
  std::vector<double> noises;
  std::vector<size_t> lengths;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    std::vector<float> window(1024, 1.0F);
    Augment(window, random);
    auto zeros = static_cast<size_t>(std::ranges::count(window, 0.0F));
    if (zeros > 20) lengths.push_back(1024 - zeros);
    if (zeros > 0) continue;
    double mean = std::accumulate(window.begin(), window.end(), 0.0) / 1024;
    double squares = 0;
    for (float x : window) squares += (x - mean) * (x - mean);
    double deviation = std::sqrt(squares / 1024);
    if (deviation < 1e-5) {
      if (std::abs(mean - 1) > 1e-6) factors.push_back(mean - 1);
    } else if (deviation < 0.02) {
      noises.push_back(deviation);
    }
  }
  ASSERT_GT(factors.size(), 100u);
  double squares = 0;
  for (double factor : factors) squares += factor * factor;
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(factors.size())), 0.01,
              0.002);
  ASSERT_GT(noises.size(), 100u);
  for (double noise : noises) EXPECT_NEAR(noise, 0.01, 0.0015);
  // At least 85 % of 1024, minus the 20 that may be zeroed as well.
  ASSERT_GT(lengths.size(), 100u);
  EXPECT_GE(std::ranges::min(lengths), 870u - 20);
  EXPECT_LE(std::ranges::min(lengths), 900u);
}

TEST(Augment, DependsOnItsSeed) {
  std::vector<float> one(1024);
  std::iota(one.begin(), one.end(), 0.0F);
  std::vector<float> two = one;
  Random first(5);
  Random second(5);
  Augment(one, first);
  Augment(two, second);
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace mete
