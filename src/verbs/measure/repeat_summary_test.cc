#include "measure/repeat_summary.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

Run Took(double seconds, OutcomeKind outcome = OutcomeKind::kCompleted) {
  Run run;
  run.outcome.kind = outcome;
  run.cpu_time = Seconds(seconds / 2);
  run.details = ApplicationDetails{.duration = Seconds(seconds)};
  run.application()->app_metrics["frame"] = {
      .kind = AppMetricKind::kRate, .rate_hz = 10 * seconds, .count = 7};
  return run;
}

TEST(RepeatSummary, ReportsMedianExtremesAndCores) {
  RepeatSummary summary = SummariseRepeats({Took(3), Took(1), Took(2)});
  EXPECT_EQ(summary.seconds->p50, 2);
  EXPECT_EQ(summary.seconds->min, 1);
  EXPECT_EQ(summary.seconds->max, 3);
  EXPECT_FALSE(summary.seconds->interval);  // three are too few
  EXPECT_EQ(summary.cpu_cores->p50, 0.5);
  EXPECT_FALSE(summary.peak_bytes);
  EXPECT_EQ(summary.app_metrics.at("frame").rate_hz->p50, 20);
  EXPECT_EQ(summary.app_metrics.at("frame").count, 21u);
}

TEST(RepeatSummary, SixRunsHaveAnInterval) {
  std::vector<mete::Run> runs;
  for (double s : {1, 2, 3, 4, 5, 6}) runs.push_back(Took(s));
  RepeatSummary summary = SummariseRepeats(runs);
  ASSERT_TRUE(summary.seconds->interval);
  EXPECT_LE(summary.seconds->interval->low, summary.seconds->p50);
  EXPECT_GE(summary.seconds->interval->high, summary.seconds->p50);
}

TEST(RepeatSummary, IgnoresRunsThatDidNotComplete) {
  RepeatSummary summary =
      SummariseRepeats({Took(3), Took(9, OutcomeKind::kCrashed)});
  EXPECT_EQ(summary.seconds->runs, 1u);
  EXPECT_EQ(summary.outcomes.at(OutcomeKind::kCrashed), 1u);
}

TEST(RepeatSummary, SummarisesTimedOutRunsWhenNoneCompleted) {
  RepeatSummary summary = SummariseRepeats(
      {Took(5, OutcomeKind::kTimedOut), Took(5, OutcomeKind::kTimedOut)});
  EXPECT_FALSE(summary.seconds);
  EXPECT_EQ(summary.cpu_cores->p50, 0.5);
  EXPECT_EQ(summary.app_metrics.at("frame").rate_hz->p50, 50);
}

TEST(RepeatSummary, AbsentValuesHaveNoKey) {
  Json json = RepeatSummaryToJson(SummariseRepeats({Took(3)}));
  EXPECT_FALSE(json.contains("peak_bytes"));
  EXPECT_FALSE(json["seconds"].contains("p50_low"));
  EXPECT_EQ(json["outcomes"]["completed"], 1);
  EXPECT_EQ(RepeatSummaryToJson(SummariseRepeats({})).contains("seconds"),
            false);
}

TEST(CommonRates, PrefersRatesOfMoreApplications) {
  auto with = [](const std::vector<std::string>& names, AppMetricKind kind) {
    RepeatSummary summary;
    for (const std::string& name : names) {
      summary.app_metrics[name] = {.kind = kind,
                                   .rate_hz = ValueSummary{.p50 = 30}};
    }
    return summary;
  };
  std::vector<RepeatSummary> summaries = {
      with({"frame", "alarm", "token"}, AppMetricKind::kRate),
      with({"frame", "token"}, AppMetricKind::kRate),
      with({"decode"}, AppMetricKind::kTimer), RepeatSummary()};
  EXPECT_EQ(CommonRates(summaries, 9),
            (std::vector<std::string>{"frame", "token", "alarm"}));
  EXPECT_EQ(CommonRates(summaries, 1), std::vector<std::string>{"frame"});
  EXPECT_TRUE(CommonRates({}, 2).empty());
}

}  // namespace
}  // namespace mete
