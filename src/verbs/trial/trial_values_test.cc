#include "trial/trial_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A run that was stopped after its time and reported ten steps in a second.
ApplicationRun RunWithSteps() {
  ApplicationDetails details{.duration = Seconds(3)};
  details.app_metrics["step"] = {.kind = AppMetricKind::kTimer,
                                 .rate_hz = 10,
                                 .per_second = {9, 11},
                                 .batches = {{.sum = 2, .count = 20}}};
  details.app_metrics["frames"] = {.kind = AppMetricKind::kRate, .rate_hz = 30};
  ApplicationRun run;
  run.run.outcome.kind = OutcomeKind::kTimedOut;
  run.run.details = details;
  return run;
}

TEST(ReadTrialValues, CountsTheEventsOfEachSecond) {
  auto values = ReadTrialValues(RunWithSteps(), "", {.hook = "step"},
                                TrialObjective::kThroughput)
                    .value();
  ASSERT_THAT(values, SizeIs(2));
  EXPECT_EQ(values[0].sum, 9);
  EXPECT_EQ(values[1].sum, 11);
}

TEST(ReadTrialValues, FallsBackToTheMeanRateOfAShortRun) {
  auto values = ReadTrialValues(RunWithSteps(), "", {.hook = "frames"},
                                TrialObjective::kCost)
                    .value();
  ASSERT_THAT(values, SizeIs(1));
  EXPECT_EQ(values[0].sum, 30);
}

TEST(ReadTrialValues, ReadsLatencyFromATimerOnly) {
  auto values = ReadTrialValues(RunWithSteps(), "", {.hook = "step"},
                                TrialObjective::kLatency)
                    .value();
  ASSERT_THAT(values, SizeIs(1));
  EXPECT_EQ(values[0].sum, 2);
  EXPECT_EQ(values[0].count, 20);
  auto frames = ReadTrialValues(RunWithSteps(), "", {.hook = "frames"},
                                TrialObjective::kLatency);
  ASSERT_FALSE(frames.ok());
  EXPECT_THAT(frames.error().message(), HasSubstr("is not a timer"));
}

TEST(ReadTrialValues, NamesWhatTheApplicationReportsInstead) {
  auto values = ReadTrialValues(RunWithSteps(), "", {.hook = "stepp"},
                                TrialObjective::kThroughput);
  ASSERT_FALSE(values.ok());
  EXPECT_EQ(values.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(values.error().message(), HasSubstr("it reports frames, step"));
}

TEST(ReadTrialValues, TakesNumbersFromTheLog) {
  auto values =
      ReadTrialValues(
          RunWithSteps(), "a 4/s\n0/s\nb 6/s\n",
          {.hook = "", .in_log = LogPattern::Parse("([0-9]+)/s").value()},
          TrialObjective::kThroughput)
          .value();
  ASSERT_THAT(values, SizeIs(2));
  EXPECT_EQ(values[1].sum, 6);
}

TEST(ReadTrialValues, CountsARunThatEndedByItselfAsOneStep) {
  ApplicationRun run = RunWithSteps();
  EXPECT_THAT(ReadTrialValues(run, "", {}, TrialObjective::kLatency).value(),
              IsEmpty());  // it was stopped
  run.run.outcome.kind = OutcomeKind::kCompleted;
  auto latency = ReadTrialValues(run, "", {}, TrialObjective::kLatency).value();
  ASSERT_THAT(latency, SizeIs(1));
  EXPECT_EQ(latency[0].sum, 3);
  auto rate = ReadTrialValues(run, "", {}, TrialObjective::kThroughput).value();
  EXPECT_DOUBLE_EQ(rate[0].sum, 1.0 / 3);
}

TEST(EstimateTrialValue, TreatsRunsAsIndependent) {
  auto estimate =
      EstimateTrialValue({{.sum = 1, .count = 1}, {.sum = 3, .count = 1}}, {},
                         TrialObjective::kThroughput);
  ASSERT_TRUE(estimate && estimate->interval);  // Student's t needs two
  EXPECT_EQ(estimate->mean, 2);
  EXPECT_FALSE(
      EstimateTrialValue({}, {}, TrialObjective::kThroughput).has_value());
}

TEST(EstimateTrialValue, WeighsPrintedRatesByTheirTime) {
  TrialSource source{.hook = "",
                     .in_log = LogPattern::Parse("([0-9]+)").value()};
  // 100 steps at 100/s take 1 s, 100 steps at 25/s take 4 s: 200 in 5 s.
  std::vector<ValueBatch> rates = {{.sum = 100, .count = 1},
                                   {.sum = 25, .count = 1}};
  EXPECT_DOUBLE_EQ(
      EstimateTrialValue(rates, source, TrialObjective::kThroughput)->mean, 40);
  EXPECT_DOUBLE_EQ(
      EstimateTrialValue(rates, source, TrialObjective::kLatency)->mean, 62.5);
}

TEST(EstimateTrialValue, KeepsTheIntervalOfRatesInOrder) {
  TrialSource source{.hook = "",
                     .in_log = LogPattern::Parse("([0-9]+)").value()};
  std::vector<ValueBatch> rates;
  for (int i = 0; i < 8; ++i) rates.push_back({.sum = 90.0 + i, .count = 1});
  auto estimate =
      EstimateTrialValue(rates, source, TrialObjective::kThroughput);
  ASSERT_TRUE(estimate && estimate->interval);
  EXPECT_LT(estimate->interval->low, estimate->mean);
  EXPECT_GT(estimate->interval->high, estimate->mean);
}

TEST(CostPerThousand, FallsWithTheThroughput) {
  // 3.6 an hour is 0.001 a second, so ten steps cost 0.001.
  auto cost = CostPerThousand(
      {.mean = 10, .interval = Interval{.low = 5, .high = 20}}, 3.6);
  ASSERT_TRUE(cost && cost->interval);
  EXPECT_DOUBLE_EQ(cost->mean, 0.1);
  EXPECT_DOUBLE_EQ(cost->interval->low, 0.05);
  EXPECT_DOUBLE_EQ(cost->interval->high, 0.2);
  EXPECT_FALSE(CostPerThousand({.mean = 0}, 3.6).has_value());
}

TEST(TrialObjective, IsReadByName) {
  EXPECT_EQ(ParseTrialObjective("cost").value(), TrialObjective::kCost);
  EXPECT_EQ(ToString(TrialObjective::kLatency), "latency");
  EXPECT_FALSE(ParseTrialObjective("speed").ok());
}

}  // namespace
}  // namespace mete
