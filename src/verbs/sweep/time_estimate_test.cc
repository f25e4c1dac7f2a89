#include "sweep/time_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

SweepPoint RunOf(double seconds) {
  return {.limits = {.millicores = 100},
          .worked = true,
          .duration = Seconds(seconds)};
}

// Steps of `mean` for that long, whose mean is known to ±5 %.
SweepPoint StepsOf(double mean, double seconds) {
  SweepPoint point = RunOf(seconds + 1);
  point.steps = StepTimes{.name = "inference",
                          .count = static_cast<uint64_t>(seconds / mean),
                          .mean = Seconds(mean),
                          .mean_low = Seconds(mean * 0.95),
                          .mean_high = Seconds(mean * 1.05)};
  return point;
}

TimeEstimate Estimate(const std::vector<SweepPoint>& points) {
  std::vector<const SweepPoint*> runs;
  for (const SweepPoint& point : points) runs.push_back(&point);
  return EstimateTime(runs).value();
}

TEST(TimeEstimate, OfOneRunIsThatOfItsSteps) {
  TimeEstimate estimate = Estimate({StepsOf(0.0005, 5)});
  EXPECT_DOUBLE_EQ(estimate.seconds, 0.0005);
  EXPECT_EQ(estimate.verdict.kind, VerdictKind::kStable);
  EXPECT_EQ(EstimateText(estimate), "500 us (475 us to 525 us)");
  EXPECT_EQ(PrecisionText(estimate), "5.0 %");
}

TEST(TimeEstimate, WithinOneQuotaPeriodIsNotTrusted) {
  TimeEstimate estimate = Estimate({StepsOf(0.0005, 0.05)});
  EXPECT_FALSE(estimate.interval.has_value());
  EXPECT_EQ(estimate.verdict.kind, VerdictKind::kTooFewSamples);
  EXPECT_THAT(estimate.verdict.explanation,
              HasSubstr("covers 0.5 quota periods"));
  EXPECT_EQ(EstimateText(estimate), "500 us (too few samples)");
}

TEST(TimeEstimate, WithoutAQuotaEveryTimeCounts) {
  SweepPoint point = StepsOf(0.0005, 0.05);
  point.limits = {.memory = 1000};
  EXPECT_EQ(Estimate({point}).verdict.kind, VerdictKind::kStable);
}

TEST(TimeEstimate, OneRunWithoutStepsHasNoInterval) {
  TimeEstimate estimate = Estimate({RunOf(30)});
  EXPECT_EQ(estimate.verdict.kind, VerdictKind::kTooFewSamples);
  EXPECT_THAT(estimate.verdict.explanation, HasSubstr("--repeat"));
}

TEST(TimeEstimate, RepeatedRunsShowHowFarTheyDiffer) {
  TimeEstimate estimate = Estimate({RunOf(10), RunOf(10.1), RunOf(9.9)});
  ASSERT_TRUE(estimate.interval.has_value());
  EXPECT_NEAR(estimate.interval->high, 10 + 4.3027 * 0.1 / std::sqrt(3), 1e-3);
  EXPECT_EQ(estimate.verdict.kind, VerdictKind::kStable);
  estimate = Estimate({RunOf(10), RunOf(15), RunOf(20)});
  EXPECT_EQ(estimate.verdict.kind, VerdictKind::kNotConverged);
}

TEST(TimeEstimate, TwoRunsSpanBothIntervals) {
  TimeEstimate estimate = Estimate({StepsOf(0.001, 5), StepsOf(0.002, 5)});
  EXPECT_DOUBLE_EQ(estimate.interval->low, 0.00095);
  EXPECT_DOUBLE_EQ(estimate.interval->high, 0.0021);
}

TEST(TimeEstimate, IsFasterOnlyIfTheIntervalsDoNotOverlap) {
  TimeEstimate one = Estimate({StepsOf(0.00100, 5)});
  TimeEstimate close = Estimate({StepsOf(0.00108, 5)});
  TimeEstimate far = Estimate({StepsOf(0.002, 5)});
  TimeEstimate unknown = Estimate({StepsOf(0.1, 0.05)});
  EXPECT_FALSE(IsFaster(one, close));
  EXPECT_TRUE(IsFaster(one, far));
  EXPECT_FALSE(IsFaster(far, one));
  EXPECT_FALSE(IsFaster(one, unknown));
}

// 20 periods of 0.1 s; a run ends a little before or after the planned time.
TEST(TimeEstimate, NeedsTwentyQuotaPeriods) {
  EXPECT_FALSE(Estimate({RunOf(1.96)}).brief);
  EXPECT_TRUE(Estimate({RunOf(1.94)}).brief);
  EXPECT_FALSE(Estimate({RunOf(1), RunOf(1)}).brief);  // together
}

// The limit may come from outside: a container in a limited pod.
TEST(TimeEstimate, ARunThatWasThrottledHasAQuota) {
  SweepPoint point = RunOf(1);
  point.limits = {.memory = 1000};
  EXPECT_FALSE(Estimate({point}).brief);
  point.throttled = 0.5;
  EXPECT_TRUE(Estimate({point}).brief);
}

TEST(TimeEstimate, HasNotConvergedBeyondTenPercent) {
  SweepPoint point = StepsOf(0.001, 5);
  point.steps->mean_low = Seconds(0.00091);
  point.steps->mean_high = Seconds(0.00109);
  EXPECT_EQ(Estimate({point}).verdict.kind, VerdictKind::kStable);
  EXPECT_EQ(PrecisionText(Estimate({point})), "9.0 %");
  point.steps->mean_low = Seconds(0.00088);
  point.steps->mean_high = Seconds(0.00112);
  EXPECT_EQ(Estimate({point}).verdict.kind, VerdictKind::kNotConverged);
  EXPECT_EQ(PrecisionText(Estimate({point})), "12 %");
  EXPECT_EQ(Estimate({point}).verdict.explanation,
            "the 95 % interval is ±12 %");
}

TEST(TimeEstimate, WithoutAnIntervalThereIsNoPrecision) {
  EXPECT_EQ(PrecisionText(Estimate({RunOf(30)})), "");
  EXPECT_EQ(EstimateText(Estimate({RunOf(30)})), "30.0 s (too few samples)");
}

// From three runs on, what differs between runs counts.
TEST(TimeEstimate, OfThreeRunsIsThatOfTheirMeans) {
  TimeEstimate estimate =
      Estimate({StepsOf(0.001, 5), StepsOf(0.001, 5), StepsOf(0.001, 5)});
  EXPECT_NEAR(estimate.interval->low, 0.001, 1e-12);
  EXPECT_NEAR(estimate.interval->high, 0.001, 1e-12);
}

TEST(TimeEstimate, OfTwoRunsWithoutStepsIsWide) {
  TimeEstimate estimate = Estimate({RunOf(10), RunOf(10.2)});
  ASSERT_TRUE(estimate.interval);
  EXPECT_NEAR(estimate.interval->high, 10.1 + 12.7062 * 0.1, 1e-3);
}

TEST(TimeEstimate, IsThatOfTheRunsThatWorked) {
  SweepPoint failed = RunOf(100);
  failed.worked = false;
  TimeEstimate estimate = Estimate({RunOf(10), failed});
  EXPECT_EQ(estimate.runs, 1u);
  EXPECT_DOUBLE_EQ(estimate.seconds, 10);
}

TEST(TimeEstimate, StepsAreObservedForTheirTimeOnly) {
  EXPECT_NEAR(ObservedTime(StepsOf(0.001, 5)).count(), 5, 1e-9);
  EXPECT_DOUBLE_EQ(ObservedTime(RunOf(7)).count(), 7);
  EXPECT_DOUBLE_EQ(TimeFor(StepsOf(0.001, 5)), 0.001);
  EXPECT_DOUBLE_EQ(TimeFor(RunOf(7)), 7);
}

TEST(TimeEstimate, IsAbsentWhenNoRunWorked) {
  SweepPoint failed = RunOf(1);
  failed.worked = false;
  const SweepPoint* runs[] = {&failed};
  EXPECT_FALSE(EstimateTime(runs).has_value());
}

TEST(TimeEstimate, OfExactlyTenPercentHasConverged) {
  SweepPoint point = StepsOf(1, 5);
  point.steps->mean_low = Seconds(0);
  point.steps->mean_high = Seconds(0.2);
  EXPECT_EQ(Estimate({point}).verdict.kind, VerdictKind::kStable);
}

TEST(TimeEstimate, TwoRunsOfWhichOneHasNoStepsShowHowFarTheyDiffer) {
  TimeEstimate estimate = Estimate({StepsOf(5, 10), RunOf(5)});
  ASSERT_TRUE(estimate.interval);
  EXPECT_EQ(estimate.interval->low, estimate.interval->high);
}

TEST(TimeEstimate, APrecisionBelowTenPercentHasADecimal) {
  SweepPoint point = StepsOf(1, 5);
  auto precision = [&](double half) {
    point.steps->mean_low = Seconds(1 - half);
    point.steps->mean_high = Seconds(1 + half);
    return PrecisionText(Estimate({point}));
  };
  EXPECT_EQ(precision(0.0994), "9.9 %");
  EXPECT_EQ(precision(0.0996), "10 %");
}

TEST(TimeEstimate, OfOneRunThatWasTooShortNamesWhatIsRequired) {
  EXPECT_EQ(Estimate({RunOf(1)}).verdict.explanation,
            "covers 10 quota periods of 100 ms; at least 20 are required");
}

}  // namespace
}  // namespace mete
