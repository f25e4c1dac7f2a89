#include "measure/process_repeats.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

std::vector<mete::Run> WithMedians(const std::vector<double>& medians) {
  std::vector<mete::Run> runs;
  for (double median : medians) {
    mete::Run run;
    run.id = std::to_string(runs.size() + 1);
    run.network()->latency = LatencySummary{.p50 = Seconds(median)};
    runs.push_back(run);
  }
  return runs;
}

TEST(SummariseProcesses, TheIntervalContainsTheVariationBetweenProcesses) {
  ProcessRepeats repeats =
      SummariseProcesses(WithMedians({0.010, 0.011, 0.012}), 0.02);
  EXPECT_EQ(repeats.run_ids, (std::vector<std::string>{"1", "2", "3"}));
  // exp of the mean of the logarithms, and t(0.975, 2) = 4.303 standard errors.
  EXPECT_NEAR(repeats.mean, 0.010970, 1e-6);
  EXPECT_NEAR(*repeats.low, 0.008740, 2e-5);
  EXPECT_NEAR(*repeats.high, 0.013769, 2e-5);
  EXPECT_NEAR(SpreadOf(repeats), 0.2, 1e-9);
  EXPECT_EQ(repeats.verdict.kind, VerdictKind::kNotConverged);
  EXPECT_NE(repeats.verdict.explanation.find("use more processes"),
            std::string::npos);
}

TEST(SummariseProcesses, ProcessesThatAgreeAreStable) {
  ProcessRepeats repeats = SummariseProcesses(
      WithMedians({0.01, 0.010001, 0.010002, 0.010001}), 0.02);
  EXPECT_EQ(repeats.verdict.kind, VerdictKind::kStable);
  EXPECT_EQ(repeats.verdict.explanation, "");
}

TEST(SummariseProcesses, OneUnstableProcessMakesTheMeanUnreliable) {
  std::vector<mete::Run> runs = WithMedians({0.01, 0.01, 0.01});
  runs[1].network()->verdict = {.kind = VerdictKind::kDrifting,
                                .explanation = "drifts"};
  ProcessRepeats repeats = SummariseProcesses(runs, 0.02);
  EXPECT_EQ(repeats.verdict.kind, VerdictKind::kDrifting);
  EXPECT_EQ(repeats.verdict.explanation, "process 2: drifts");
}

TEST(SummariseProcesses, OneProcessHasNoInterval) {
  ProcessRepeats repeats = SummariseProcesses(WithMedians({0.01}), 0.02);
  EXPECT_FALSE(repeats.low.has_value());
  EXPECT_EQ(repeats.verdict.kind, VerdictKind::kTooFewSamples);
}

TEST(SummariseProcesses, NamesTheFirstUnstableProcess) {
  std::vector<mete::Run> runs = WithMedians({0.01, 0.01, 0.01});
  runs[0].network()->verdict = {.kind = VerdictKind::kBimodal,
                                .explanation = "two levels"};
  runs[2].network()->verdict = {.kind = VerdictKind::kDrifting,
                                .explanation = "drifts"};
  Verdict verdict = SummariseProcesses(runs, 0.02).verdict;
  EXPECT_EQ(verdict.kind, VerdictKind::kBimodal);
  EXPECT_EQ(verdict.explanation, "process 1: two levels");
  runs[0].network()->verdict = {};
  EXPECT_EQ(SummariseProcesses(runs, 0.02).verdict.explanation,
            "process 3: drifts");
}

}  // namespace
}  // namespace mete
