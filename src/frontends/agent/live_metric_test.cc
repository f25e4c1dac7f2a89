#include "agent/live_metric.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

AppEvent At(milliseconds at, double value,
            AppMetricKind kind = AppMetricKind::kTimer) {
  return {.name = "step", .kind = kind, .value = value, .at = at};
}

TEST(LiveMetricTest, TheRateCoversCompleteSecondsSinceTheFirstEvent) {
  LiveMetric live_metric(AppMetricKind::kRate);
  for (int i = 0; i < 150; ++i) {
    live_metric.Take(
        At(milliseconds(500 + i * 1000 / 30), 1, AppMetricKind::kRate));
  }
  // At 5.5 s, the seconds 1 to 4 are complete.
  EXPECT_NEAR(*live_metric.Rate(milliseconds(5500), seconds(10)), 30, 0.5);
  EXPECT_NEAR(*live_metric.Rate(milliseconds(5500), seconds(2)), 30, 0.5);
  EXPECT_EQ(live_metric.events(), 150);
}

TEST(LiveMetricTest, TheRateFallsToZeroWhenAnApplicationStops) {
  LiveMetric live_metric(AppMetricKind::kRate);
  for (int i = 0; i < 20; ++i) {
    live_metric.Take(At(milliseconds(i * 100), 1, AppMetricKind::kRate));
  }
  EXPECT_EQ(*live_metric.Rate(seconds(3), seconds(2)), 5);
  EXPECT_EQ(*live_metric.Rate(seconds(30), seconds(10)), 0);
}

TEST(LiveMetricTest, HasNoRateBeforeACompleteSecond) {
  LiveMetric live_metric(AppMetricKind::kRate);
  EXPECT_FALSE(live_metric.Rate(seconds(1), seconds(10)));
  live_metric.Take(At(milliseconds(1100), 1, AppMetricKind::kRate));
  EXPECT_FALSE(live_metric.Rate(milliseconds(1900), seconds(10)));
}

TEST(LiveMetricTest, DropsValuesOutsideTheWindowButKeepsTheTotals) {
  LiveMetric live_metric(AppMetricKind::kTimer);
  live_metric.Take(At(seconds(1), 0.2));
  live_metric.Take(At(seconds(9), 0.4));
  live_metric.Take(At(seconds(10), 0.3));
  EXPECT_EQ(live_metric.Recent(seconds(12), seconds(5)),
            (std::vector<double>{0.3, 0.4}));
  EXPECT_NEAR(live_metric.sum(), 0.9, 1e-12);
  EXPECT_EQ(live_metric.events(), 3);
}

TEST(LiveMetricTest, PutsDurationsIntoBuckets) {
  LiveMetric live_metric(AppMetricKind::kTimer,
                         *ParseDurationBounds("500us,1ms,10s"));
  live_metric.Take(At(seconds(1), 0.0005));  // bounds are inclusive
  live_metric.Take(At(seconds(1), 0.00051));
  live_metric.Take(At(seconds(1), 11));
  EXPECT_EQ(live_metric.buckets()[0], 1u);
  EXPECT_EQ(live_metric.buckets()[1], 1u);
  EXPECT_EQ(live_metric.buckets().back(), 1u);
  EXPECT_EQ(live_metric.buckets().size(), 4u);
}

TEST(LiveMetricTest, KeepsABoundedNumberOfValues) {
  LiveMetric live_metric(AppMetricKind::kTimer);
  for (int i = 0; i < 5000; ++i) live_metric.Take(At(seconds(1), i));
  auto recent = live_metric.Recent(seconds(1), seconds(10));
  ASSERT_EQ(recent.size(), LiveMetric::kMostRecent);
  EXPECT_EQ(recent.back(), 4999);
}

TEST(LiveMetricTest, CountsLateEventsInTheirSecond) {
  LiveMetric live_metric(AppMetricKind::kRate);
  live_metric.Take(At(seconds(1), 1, AppMetricKind::kRate));
  live_metric.Take(At(seconds(3), 4, AppMetricKind::kRate));
  live_metric.Take(At(seconds(2), 6, AppMetricKind::kRate));
  EXPECT_EQ(live_metric.last(), seconds(3));
  EXPECT_EQ(*live_metric.Rate(seconds(4), seconds(10)), 5);
  EXPECT_EQ(*live_metric.Rate(seconds(4), seconds(1)), 4);
}

TEST(LiveMetricTest, TheWindowExcludesItsOldEnd) {
  LiveMetric live_metric(AppMetricKind::kTimer);
  live_metric.Take(At(seconds(5), 1));
  EXPECT_TRUE(live_metric.Recent(seconds(15), seconds(10)).empty());
  EXPECT_EQ(live_metric.Recent(milliseconds(14999), seconds(10)).size(), 1u);
}

TEST(LiveMetricTest, KeepsTheLastValueAndTheSumOfNumbers) {
  LiveMetric live_metric(AppMetricKind::kNumber);
  live_metric.Take(At(seconds(1), 7, AppMetricKind::kNumber));
  live_metric.Take(At(seconds(2), 3, AppMetricKind::kNumber));
  EXPECT_EQ(live_metric.last_value(), 3);
  EXPECT_EQ(live_metric.events(), 2);
  EXPECT_TRUE(live_metric.Recent(seconds(2), seconds(10)).empty());
}

TEST(LiveMetricTest, TheRateCoversSixtySecondsAtMost) {
  LiveMetric live_metric(AppMetricKind::kRate);
  live_metric.Take(At(seconds(0), 1, AppMetricKind::kRate));
  live_metric.Take(At(seconds(1), 120, AppMetricKind::kRate));
  EXPECT_EQ(*live_metric.Rate(seconds(61), seconds(100)), 2);
  EXPECT_EQ(*live_metric.Rate(seconds(62), seconds(100)), 0);
}

TEST(LiveMetricTest, AnEventOlderThanAMinuteCountsTowardsTheTotalOnly) {
  LiveMetric live_metric(AppMetricKind::kRate);
  live_metric.Take(At(seconds(10), 1, AppMetricKind::kRate));
  live_metric.Take(At(seconds(100), 5, AppMetricKind::kRate));
  live_metric.Take(At(seconds(38), 7, AppMetricKind::kRate));  // 62 s before
  EXPECT_EQ(*live_metric.Rate(seconds(101), seconds(1)), 5);
  EXPECT_EQ(live_metric.events(), 13);
}

TEST(LiveMetricTest, HasARateAfterTheFirstCompleteSecond) {
  LiveMetric live_metric(AppMetricKind::kRate);
  live_metric.Take(At(milliseconds(1100), 1, AppMetricKind::kRate));
  EXPECT_FALSE(live_metric.Rate(milliseconds(2900), seconds(10)));
  EXPECT_EQ(live_metric.Rate(seconds(3), seconds(10)), 0);
}

TEST(LiveMetricTest, ARateHasNoSumAndNoBuckets) {
  LiveMetric live_metric(AppMetricKind::kRate);
  live_metric.Take(At(seconds(1), 5, AppMetricKind::kRate));
  EXPECT_EQ(live_metric.sum(), 0);
  EXPECT_EQ(live_metric.last_value(), 0);
  EXPECT_TRUE(live_metric.buckets().empty());
}

TEST(LiveMetricTest, KeepsTheTimeOfTheLatestEvent) {
  LiveMetric live_metric(AppMetricKind::kTimer);
  live_metric.Take(At(seconds(7), 1));
  live_metric.Take(At(seconds(3), 1));
  EXPECT_EQ(live_metric.last(), seconds(7));
}

}  // namespace
}  // namespace mete
