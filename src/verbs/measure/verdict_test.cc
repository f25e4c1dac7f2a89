#include "measure/verdict.h"

#include <gtest/gtest.h>

#include <numeric>

namespace mete {
namespace {

// Twenty values that neither drift nor jump.
SteadyPart ExamplePart() {
  SteadyPart part;
  for (int i = 0; i < 20; ++i) part.series.push_back(0.1 + i * 7 % 20 * 1e-4);
  part.sorted = part.series;
  std::ranges::sort(part.sorted);
  part.median = 0.10095;
  part.interval = Interval{.low = 0.1, .high = 0.102};
  return part;
}

TEST(RelativeHalfWidth, IsThatOfTheFartherBound) {
  EXPECT_DOUBLE_EQ(RelativeHalfWidth(10, {.low = 9.9, .high = 10.9}), 0.09);
  EXPECT_DOUBLE_EQ(RelativeHalfWidth(10, {.low = 9.1, .high = 10.1}), 0.09);
}

TEST(Judge, TrustsAPreciseSeries) {
  EXPECT_EQ(Judge(ExamplePart(), {.target = 0.02}).kind, Verdict().kind);
}

TEST(Judge, SaysHowWellTheMedianIsKnown) {
  SteadyPart part = ExamplePart();
  part.median = 0.1;
  part.interval = Interval{.low = 0.099, .high = 0.1051};
  Verdict verdict = Judge(part, {.target = 0.02});
  EXPECT_EQ(verdict.kind, VerdictKind::kNotConverged);
  EXPECT_EQ(verdict.explanation,
            "the median is known to ±5.1 %; ±2.0 % was requested");
  EXPECT_EQ(Judge(part, {.target = 0.03, .adaptive = false}).explanation,
            "the median is known to ±5.1 %, which is more than ±3.0 % "
            "(measure.until); use more iterations or time");
  EXPECT_EQ(Judge(part, {.target = 0.0001}).explanation,
            "the median is known to ±5.1 %; ±0.01 % was requested");
}

TEST(Judge, SaysHowManyIterationsAnIntervalNeeds) {
  SteadyPart part = ExamplePart();
  part.interval.reset();
  part.tau = 12.4;
  EXPECT_EQ(Judge(part, {}).explanation,
            "too few independent iterations for a 95 % interval "
            "(autocorrelation time 12); use more iterations");
  part.series.resize(6);
  EXPECT_EQ(Judge(part, {}).kind, VerdictKind::kTooFewSamples);
  EXPECT_NE(Judge(part, {}).explanation.find("independent"), std::string::npos);
  part.series.resize(5);
  EXPECT_EQ(Judge(part, {}).explanation,
            "too few iterations for a 95 % interval; use --iterations 6 or "
            "more");
}

// Twenty values of 0.1 s are 20 periods.
TEST(Judge, NeedsEnoughPeriodsOfACpuQuota) {
  SteadyPart part = ExamplePart();
  EXPECT_EQ(Judge(part, {.has_cpu_quota = true}).kind, VerdictKind::kStable);
  part.series.pop_back();
  Verdict verdict = Judge(part, {.has_cpu_quota = true});
  EXPECT_EQ(verdict.kind, VerdictKind::kTooFewSamples);
  EXPECT_EQ(
      verdict.explanation,
      "under a CPU limit, 1.92 s is too short: less than 20 quota periods "
      "of 100 ms; use --duration 5s");
  EXPECT_EQ(Judge(part, {}).kind, VerdictKind::kStable);
}

TEST(Judge, CountsTheIterationsThatWerePossible) {
  EXPECT_EQ(Judge(ExamplePart(), {.asked_iterations = 21}).explanation,
            "20 of 21 iterations were possible");
  EXPECT_EQ(Judge(ExamplePart(), {.asked_iterations = 20}).explanation, "");
}

TEST(SummariseLatency, HasTheQuantilesOfTheSeries) {
  SteadyPart part;
  part.series.resize(1000);
  std::iota(part.series.begin(), part.series.end(), 1.0);
  part.sorted = part.series;
  part.interval = Interval{.low = 490, .high = 510};
  LatencySummary summary = SummariseLatency(part).value();
  EXPECT_DOUBLE_EQ(summary.mean.count(), 500.5);
  EXPECT_DOUBLE_EQ(summary.min.count(), 1);
  EXPECT_DOUBLE_EQ(summary.max.count(), 1000);
  EXPECT_NEAR(summary.p50.count(), 500.5, 1);
  EXPECT_NEAR(summary.p90.count(), 900.5, 1);
  EXPECT_NEAR(summary.p95.count(), 950.5, 1);
  EXPECT_NEAR(summary.p99.count(), 990.5, 1);
  EXPECT_EQ(summary.p50_low, Seconds(490));
  EXPECT_EQ(summary.p50_high, Seconds(510));
  EXPECT_FALSE(SummariseLatency({}).has_value());
}

}  // namespace
}  // namespace mete
