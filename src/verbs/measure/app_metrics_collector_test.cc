#include "measure/app_metrics_collector.h"

#include <gtest/gtest.h>

#include <limits>

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

AppEvent Frame(nanoseconds at, double n = 1) {
  return {.name = "frame", .kind = AppMetricKind::kRate, .value = n, .at = at};
}
AppEvent Step(nanoseconds at, double duration) {
  return {.name = "step",
          .kind = AppMetricKind::kTimer,
          .value = duration,
          .at = at};
}
AppEvent Level(nanoseconds at, double value) {
  return {.name = "level", .value = value, .at = at};
}

TEST(AppMetrics, NoEventsGiveNoMetrics) {
  EXPECT_TRUE(AppMetricsCollector().Summarise().empty());
}

TEST(AppMetrics, OneEventHasACountButNoRate) {
  AppMetricsCollector collector;
  collector.Take(Step(seconds(5), 0.25));
  AppMetric metric = collector.Summarise().at("step");
  EXPECT_EQ(metric.count, 1u);
  EXPECT_EQ(metric.rate_hz, std::nullopt);
  EXPECT_EQ(metric.p50, 0.25);
  EXPECT_EQ(metric.p99, 0.25);
  EXPECT_EQ(metric.unit, "seconds");
  EXPECT_TRUE(metric.per_second.empty());
}

TEST(AppMetrics, SimultaneousEventsHaveNoRate) {
  AppMetricsCollector collector;
  collector.Take(Frame(seconds(1)));
  collector.Take(Frame(seconds(1)));
  AppMetric metric = collector.Summarise().at("frame");
  EXPECT_EQ(metric.count, 2u);
  EXPECT_EQ(metric.rate_hz, std::nullopt);
}

// WaAP reported 1/duration as the rate, which would be 500 per second here.
TEST(AppMetrics, RateOfATimerIsThroughputNotInverseLatency) {
  AppMetricsCollector collector;
  for (int i = 0; i < 61; ++i) {
    collector.Take(Step(milliseconds(50 * i), 0.002));
  }
  AppMetric metric = collector.Summarise().at("step");
  EXPECT_DOUBLE_EQ(*metric.rate_hz, 20);
  EXPECT_EQ(metric.p50, 0.002);
}

TEST(AppMetrics, RateCountsFromTheSecondCallOn) {
  AppMetricsCollector collector;
  collector.Take(Frame(seconds(10), 100));
  collector.Take(Frame(seconds(11), 12));
  collector.Take(Frame(seconds(12), 8));
  AppMetric metric = collector.Summarise().at("frame");
  EXPECT_EQ(metric.count, 120u);
  EXPECT_DOUBLE_EQ(*metric.rate_hz, 10);
  EXPECT_EQ(metric.p50, std::nullopt);
}

TEST(AppMetrics, OrderOfArrivalDoesNotMatter) {
  AppMetricsCollector collector;
  collector.Take(Frame(seconds(4)));
  collector.Take(Frame(seconds(2), 7));
  collector.Take(Frame(seconds(3)));
  EXPECT_DOUBLE_EQ(*collector.Summarise().at("frame").rate_hz, 1);
}

TEST(AppMetrics, CountsOnlyCompleteSeconds) {
  AppMetricsCollector collector;
  for (int ms : {100, 400, 900, 1000, 3100, 3200}) {
    collector.Take(Frame(milliseconds(ms)));
  }
  // Whole seconds: [100, 1100), [1100, 2100), [2100, 3100). The one from 3100
  // on is incomplete.
  EXPECT_EQ(collector.Summarise().at("frame").per_second,
            (std::vector<double>{4, 0, 0}));
}

TEST(AppMetrics, ComputesQuantilesOfTheValues) {
  AppMetricsCollector collector;
  for (int i = 100; i >= 0; --i) collector.Take(Level(seconds(i), i));
  AppMetric metric = collector.Summarise().at("level");
  EXPECT_DOUBLE_EQ(*metric.p50, 50);
  EXPECT_NEAR(*metric.p95, 95.6, 1e-9);  // rank (n + 1/3) p + 1/3
  EXPECT_NEAR(*metric.p99, 99 + 0.98 / 1.5, 1e-9);
  EXPECT_EQ(metric.unit, "");
}

TEST(AppMetrics, ReportsLossesWithAndWithoutName) {
  AppMetricsCollector collector;
  collector.Take(Frame(seconds(1)));
  collector.TakeLoss({.name = "frame", .events = 3});
  collector.TakeLoss({.name = "frame", .events = 4});
  collector.TakeLoss({.name = "never_seen", .events = 5});
  collector.TakeLoss({.name = "", .events = 6});
  AppMetrics metrics = collector.Summarise();
  EXPECT_EQ(metrics.at("frame").dropped, 7u);
  EXPECT_EQ(metrics.at("never_seen").dropped, 5u);
  EXPECT_EQ(metrics.at("never_seen").count, 0u);
  EXPECT_EQ(metrics.at("(unnamed)").dropped, 6u);
}

TEST(AppMetrics, NanCountsAsLoss) {
  AppMetricsCollector collector;
  collector.Take(Level(seconds(1), 3));
  collector.Take(Level(seconds(2), std::numeric_limits<double>::infinity()));
  AppMetric metric = collector.Summarise().at("level");
  EXPECT_EQ(metric.count, 1u);
  EXPECT_EQ(metric.dropped, 1u);
}

TEST(AppMetrics, NameOfTwoKindsAppearsTwice) {
  AppMetricsCollector collector;
  collector.Take(Frame(seconds(1)));
  collector.Take({.name = "frame", .value = 8, .at = seconds(1)});
  AppMetrics metrics = collector.Summarise();
  EXPECT_EQ(metrics.at("frame").kind, AppMetricKind::kRate);
  EXPECT_EQ(metrics.at("frame.number").p50, 8);
}

TEST(AppMetrics, SamplesAMillionValuesWithoutBias) {
  AppMetricsCollector collector;
  const int n = 1000000;
  for (int i = 0; i < n; ++i) {
    collector.Take(Level(nanoseconds(1000 * i), double(i) / n));
  }
  AppMetric metric = collector.Summarise().at("level");
  EXPECT_EQ(metric.count, uint64_t{n});
  // Five standard errors of the median of 65536 uniform values.
  EXPECT_NEAR(*metric.p50, 0.50, 0.010);
  EXPECT_NEAR(*metric.p99, 0.99, 0.002);
}

TEST(AppMetrics, NumberOfNamesIsBounded) {
  AppMetricsCollector collector;
  for (size_t i = 0; i < AppMetricsCollector::kMostNames + 20; ++i) {
    collector.Take({.name = "frame_" + std::to_string(i), .value = 1});
  }
  AppMetrics metrics = collector.Summarise();
  EXPECT_EQ(metrics.size(), AppMetricsCollector::kMostNames + 1);
  EXPECT_EQ(metrics.at("(unnamed)").dropped, 20u);
}

TEST(AppMetrics, AbsurdTimestampsUseNoMemory) {
  AppMetricsCollector collector;
  collector.Take(Frame(nanoseconds(0)));
  collector.Take(Frame(nanoseconds::max()));
  AppMetric metric = collector.Summarise().at("frame");
  EXPECT_EQ(metric.count, 2u);
  EXPECT_TRUE(metric.per_second.empty());
}

TEST(AppMetricsCollector, KeepsATimerInBatchesOfEqualCounts) {
  AppMetricsCollector collector;
  constexpr size_t kCalls = 3 * AppMetricsCollector::kMostBatches + 1;
  for (size_t i = 0; i < kCalls; ++i) {
    collector.Take({.name = "step",
                    .kind = AppMetricKind::kTimer,
                    .value = static_cast<double>(i)});
  }
  AppMetric metric = collector.Summarise().at("step");
  // 1537 values: batches of 4, the last with one value.
  ASSERT_EQ(metric.batches.size(), 385u);
  EXPECT_EQ(metric.batches.front().count, 4);
  EXPECT_EQ(metric.batches.front().sum, 0 + 1 + 2 + 3);
  EXPECT_EQ(metric.batches.back().count, 1);
  EXPECT_EQ(metric.batches.back().sum, 1536);
}

TEST(AppMetrics, ValuesOfSeveralCallsHaveAMean) {
  AppMetricsCollector collector;
  collector.Take(Level(seconds(1), 3));
  collector.Take(Level(seconds(2), 6));
  AppMetric metric = collector.Summarise().at("level");
  EXPECT_DOUBLE_EQ(metric.mean.value(), 4.5);
  EXPECT_TRUE(metric.batches.empty());  // only timers have batches
  collector.Take(Frame(seconds(1), 5));
  EXPECT_EQ(collector.Summarise().at("frame").mean, std::nullopt);
}

TEST(AppMetrics, CountsBySecondForSomewhatMoreThanADay) {
  AppMetricsCollector collector;
  const seconds most(AppMetricsCollector::kMostSeconds);
  collector.Take(Frame(seconds(0)));
  collector.Take(Frame(most));
  EXPECT_EQ(collector.Summarise().at("frame").per_second.size(),
            static_cast<size_t>(most.count()));
  AppMetricsCollector other;
  other.Take(Frame(seconds(0)));
  other.Take(Frame(most + seconds(1)));
  EXPECT_TRUE(other.Summarise().at("frame").per_second.empty());
}

TEST(AppMetrics, TheFirstWindowBeginsWithTheEarliestEvent) {
  AppMetricsCollector collector;
  collector.Take(Frame(milliseconds(10'500)));
  collector.Take(Frame(milliseconds(9'700)));
  EXPECT_EQ(collector.Summarise().at("frame").first, milliseconds(9'500));
}

TEST(AppMetrics, BatchesAreJoinedOnlyWhenThereAreTooMany) {
  AppMetricsCollector collector;
  for (size_t i = 0; i < AppMetricsCollector::kMostBatches; ++i) {
    collector.Take(Step(seconds(1), 1));
  }
  EXPECT_EQ(collector.Summarise().at("step").batches.size(),
            AppMetricsCollector::kMostBatches);
  collector.Take(Step(seconds(1), 1));
  const auto batches = collector.Summarise().at("step").batches;
  ASSERT_EQ(batches.size(), AppMetricsCollector::kMostBatches / 2 + 1);
  EXPECT_EQ(batches[0].count, 2);
  EXPECT_EQ(batches.back().count, 1);
}

}  // namespace
}  // namespace mete
