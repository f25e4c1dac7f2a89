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

TEST(Warmup, IsFoundInFiftyValuesButNotInFewer) {
  std::vector<double> series(50, 1.0);
  for (size_t i = 0; i < 20; ++i) series[i] = 2;
  EXPECT_EQ(WarmupLength(series), 20u);
  series.pop_back();
  EXPECT_EQ(WarmupLength(series), 0u);
}

TEST(Warmup, OfHalfTheSeriesIsStillCutOff) {
  std::vector<double> series(100, 1.0);
  for (size_t i = 0; i < 50; ++i) series[i] = 2;
  EXPECT_EQ(WarmupLength(series), 50u);
}

TEST(Warmup, IgnoresTwoSpikesInABatch) {
  std::vector<double> series(100, 1.0);
  series[0] = series[1] = 50;
  EXPECT_EQ(WarmupLength(series), 0u);
  series[2] = 50;
  EXPECT_EQ(WarmupLength(series), 5u);
}

TEST(Warmup, ARiseCountsLikeAFall) {
  std::vector<double> series(100, 1.0);
  for (size_t i = 0; i < 10; ++i) series[i] = 0.1;
  EXPECT_EQ(WarmupLength(series), 10u);
}

TEST(Warmup, IsNotCutForLessThanATenth) {
  // The level alternates between batches; the first batch is slightly higher.
  std::vector<double> series;
  for (int i = 0; i < 200; ++i) series.push_back(i / 5 % 2 == 0 ? 1.0 : 2.0);
  EXPECT_EQ(WarmupLength(series), 0u);
}

TEST(Warmup, TakesZerosForTinyValues) {
  std::vector<double> series(100, 1.0);
  for (size_t i = 0; i < 10; ++i) series[i] = 0;
  EXPECT_EQ(WarmupLength(series), 10u);
}

TEST(Warmup, IgnoresTwoDipsInABatch) {
  std::vector<double> series(100, 1.0);
  series[0] = series[1] = 0.02;
  EXPECT_EQ(WarmupLength(series), 0u);
  series[2] = 0.02;
  EXPECT_EQ(WarmupLength(series), 5u);
}

}  // namespace
}  // namespace mete
