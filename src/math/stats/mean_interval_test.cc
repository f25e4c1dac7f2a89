#include "stats/mean_interval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mete
