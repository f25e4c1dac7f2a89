#include "stats/mean_interval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stats/distributions.h"
#include "stats/test_series.h"
#include "support/random.h"

namespace mete {
namespace {

// Calls of 50 us under a quota of 10 ms per 100 ms: 200 calls, of which the
// last one waits for 90 ms. Batches of 128 calls do not match the periods.
std::vector<ValueBatch> Throttled(size_t periods) {
  std::vector<ValueBatch> batches;
  for (size_t i = 0; i < 200 * periods; ++i) {
    if (i % 128 == 0) batches.emplace_back();
    batches.back().sum += i % 200 == 199 ? 90.05e-3 : 50e-6;
    batches.back().count += 1;
  }
  return batches;
}

TEST(MeanInterval, CoversTheMeanOfAThrottledSeries) {
  auto estimate = EstimateMean(Throttled(50));
  ASSERT_TRUE(estimate && estimate->interval);
  EXPECT_NEAR(estimate->mean, 500e-6, 1e-9);
  EXPECT_LT(estimate->interval->low, 500e-6);
  EXPECT_GT(estimate->interval->high, 500e-6);
  EXPECT_GT(estimate->interval->low, 400e-6);
  EXPECT_LT(estimate->interval->high, 600e-6);
}

TEST(MeanInterval, HasTheRequestedConfidenceForIndependentValues) {
  Random random(1);
  int covered = 0;
  constexpr int kSeries = 2000;
  for (int series = 0; series < kSeries; ++series) {
    std::vector<ValueBatch> batches;
    for (int i = 0; i < 40; ++i) {
      batches.push_back({.sum = 10 + random.Uniform(), .count = 10});
    }
    Interval interval = *EstimateMean(batches)->interval;
    covered += interval.low <= 1.05 && 1.05 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, kSeries * 93 / 100);
  EXPECT_LE(covered, kSeries * 99 / 100);
}

TEST(MeanInterval, IsWiderForASeriesThatDrifts) {
  std::vector<ValueBatch> drifting;
  std::vector<ValueBatch> mixed;
  for (int i = 0; i < 20; ++i) {
    drifting.push_back({.sum = 1.0 + i, .count = 1});
    mixed.push_back({.sum = 1.0 + (i * 7) % 20, .count = 1});
  }
  Interval one = *EstimateMean(drifting)->interval;
  Interval other = *EstimateMean(mixed)->interval;
  EXPECT_GT(one.high - one.low, 1.5 * (other.high - other.low));
}

TEST(MeanInterval, IsAbsentForFewBatches) {
  EXPECT_FALSE(EstimateMean({}).has_value());
  std::vector<ValueBatch> five(5, {.sum = 2, .count = 1});
  EXPECT_DOUBLE_EQ(EstimateMean(five)->mean, 2);
  EXPECT_FALSE(EstimateMean(five)->interval.has_value());
}

TEST(MeanOfRuns, RequiresTwoRunsForAnInterval) {
  EXPECT_FALSE(EstimateMeanOfRuns({}).has_value());
  const double one[] = {3.0};
  EXPECT_FALSE(EstimateMeanOfRuns(one)->interval.has_value());
  const double three[] = {1.0, 2.0, 3.0};  // t(0.975, 2) = 4.3027
  Interval interval = *EstimateMeanOfRuns(three)->interval;
  EXPECT_NEAR(interval.high, 2 + 4.3027 / std::sqrt(3.0), 1e-3);
}

// Evaluated from the equation by another program: 24 batches become 20, whose
// residuals do not depend on each other; t(0.975, 19) = 2.0930.
TEST(MeanInterval, FollowsTheEquation) {
  std::vector<ValueBatch> batches;
  for (int i = 0; i < 24; ++i) {
    batches.push_back({.sum = 10 + i * 7 % 5 + 0.3 * i, .count = 4.0 + i % 3});
  }
  MeanEstimate estimate = EstimateMean(batches).value();
  EXPECT_NEAR(estimate.mean, 3.0816666666667, 1e-9);
  ASSERT_TRUE(estimate.interval);
  EXPECT_NEAR(estimate.interval->low, 2.7676358092644, 1e-6);
  EXPECT_NEAR(estimate.interval->high, 3.3956975240689, 1e-6);
}

TEST(MeanInterval, WidensWithTheDependence) {
  // Residuals -2.5 … 2.5 of six batches: only lag 1 is judged, with
  // rho = 8.75 / 17.5. So tau = 2, and 6 / tau - 1 = 2 degrees are left.
  std::vector<ValueBatch> batches;
  for (int i = 0; i < 6; ++i) batches.push_back({.sum = 10.0 + i, .count = 1});
  MeanEstimate estimate = EstimateMean(batches).value();
  EXPECT_NEAR(estimate.mean, 12.5, 1e-12);
  const double error = std::sqrt(2 * 6.0 / 5 * 17.5) / 6;
  EXPECT_NEAR(estimate.interval->high - 12.5, StudentQuantile(0.975, 2) * error,
              1e-9);
}

TEST(MeanInterval, OfNonnegativeValuesIsNotNegative) {
  std::vector<ValueBatch> batches(10, {.sum = 0, .count = 1});
  batches[3].sum = 100;
  EXPECT_EQ(EstimateMean(batches)->interval->low, 0);
  const double runs[] = {0.0, 0.0, 9.0};
  EXPECT_EQ(EstimateMeanOfRuns(runs)->interval->low, 0);
}

TEST(MeanInterval, OfEqualBatchesHasNoWidth) {
  std::vector<ValueBatch> batches(6, {.sum = 4, .count = 2});
  MeanEstimate estimate = EstimateMean(batches).value();
  EXPECT_EQ(estimate.interval->low, 2);
  EXPECT_EQ(estimate.interval->high, 2);
}

TEST(MeanInterval, IsAbsentWithoutCounts) {
  const std::vector<ValueBatch> empty(8);
  EXPECT_FALSE(EstimateMean(empty).has_value());
}

TEST(MeanOfRuns, IsSymmetric) {
  const double runs[] = {10.0, 12.0};  // t(0.975, 1) = 12.7062
  MeanEstimate estimate = EstimateMeanOfRuns(runs).value();
  EXPECT_EQ(estimate.mean, 11);
  EXPECT_NEAR(estimate.interval->high - 11, 12.7062, 1e-3);
}

TEST(MeanInterval, ADriftMayLeaveLessThanTwoDegreesOfFreedom) {
  // Residuals -3.5 … 3.5 of eight batches: lags 1 and 2 have the products 26.25
  // and 11.5, the squares add up to 42.
  std::vector<ValueBatch> batches;
  for (int i = 0; i < 8; ++i) batches.push_back({.sum = 101.0 + i, .count = 1});
  const double tau = 1 + 2 * (26.25 + 11.5) / 42;
  const double degrees = 8 / tau - 1;
  EXPECT_NEAR(degrees, 1.86, 0.01);
  MeanEstimate estimate = EstimateMean(batches).value();
  const double error = std::sqrt(tau * 8.0 / 7 * 42) / 8;
  EXPECT_NEAR(estimate.interval->high - 104.5,
              StudentQuantile(0.975, degrees) * error, 1e-9);
}

TEST(MeanInterval, OfASingleCountHasAMean) {
  const std::vector<ValueBatch> one = {{.sum = 3, .count = 1}};
  EXPECT_EQ(EstimateMean(one).value().mean, 3);
}

}  // namespace
}  // namespace mete
