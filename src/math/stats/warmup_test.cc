#include "stats/warmup.h"

#include <gtest/gtest.h>

#include "stats/test_series.h"

namespace mete {
namespace {

TEST(Warmup, IsNoneForNoneOrOneValue) {
  EXPECT_EQ(WarmupLength({}), 0u);
  EXPECT_EQ(WarmupLength(std::vector{0.5}), 0u);
}

TEST(Warmup, IsNotDetectedInFewerThanFiftyValues) {
  std::vector<double> series(49, 0.01);
  series[0] = 1;
  EXPECT_EQ(WarmupLength(series), 0u);
}

TEST(Warmup, IsNoneForAConstant) {
  EXPECT_EQ(WarmupLength(std::vector(500, 0.01)), 0u);
}

TEST(Warmup, EndsWhereASlowStartEnds) {
  auto series = LogNormalSeries({.sigma = 0.02}, 1).Take(500);
  for (size_t i = 0; i < 60; ++i) series[i] *= 1.5;
  EXPECT_GE(WarmupLength(series), 60u);
  EXPECT_LE(WarmupLength(series), 75u);
}

TEST(Warmup, FollowsAnExponentialDecayIntoTheNoise) {
  auto series = LogNormalSeries({.sigma = 0.02}, 1).Take(1000);
  for (size_t i = 0; i < series.size(); ++i) {
    series[i] *= 1 + 0.5 * std::exp(-static_cast<double>(i) / 30);
  }
  // After 100 iterations 1.8 % are left, after 200 it is 0.06 %.
  EXPECT_GE(WarmupLength(series), 80u);
  EXPECT_LE(WarmupLength(series), 200u);
}

TEST(Warmup, IsAtMostHalfOfTheSeries) {
  std::vector<double> series;
  for (int i = 0; i < 200; ++i) series.push_back(1 + 0.01 * (200 - i));
  EXPECT_LE(WarmupLength(series), 100u);
}

TEST(Warmup, IgnoresASingleSpike) {
  auto series = LogNormalSeries({.sigma = 0.02}, 5).Take(500);
  size_t without = WarmupLength(series);
  series[100] *= 20;
  EXPECT_EQ(WarmupLength(series), without);
}

TEST(Warmup, RemovesLittleFromASteadySeries) {
  double cut = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    cut +=
        static_cast<double>(WarmupLength(LogNormalSeries({}, seed).Take(500)));
  }
  EXPECT_LT(cut / 200, 0.03 * 500);
}

}  // namespace
}  // namespace mete
