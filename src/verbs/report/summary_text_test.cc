#include "report/summary_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Run Took(double seconds, double cpu, Bytes peak) {
  Run run;
  run.cpu_time = Seconds(cpu);
  run.peak_rss = peak;
  run.details =
      ApplicationDetails{.duration = Seconds(seconds), .exit_code = 0};
  return run;
}

Judgement JudgeAlone(const ReportedApplication& application) {
  return Judge(application, SummariseRepeats(application.runs));
}

TEST(Judge, ReportsTimeAndResources) {
  Judgement judgement = JudgeAlone({.name = "app",
                                    .limits = {.memory = Mebibytes(256)},
                                    .runs = {Took(2, 1, Mebibytes(64))}});
  EXPECT_EQ(judgement.tone, Tone::kGood);
  EXPECT_EQ(judgement.headline, "Completed in 2.00 s");
  EXPECT_THAT(judgement.sentences,
              ElementsAre("It kept 0.50 CPU cores busy on average and used at "
                          "most 64.0 MiB of memory, 25 % of its limit of 256 "
                          "MiB."));
}

TEST(Judge, ReportsTheVariationBetweenProcesses) {
  mete::Run run;
  run.network()->latency = LatencySummary{.p50 = Seconds(0.01)};
  run.network()->repeats =
      ProcessRepeats{.index = 1,
                     .medians = {0.01, 0.012},
                     .mean = 0.011,
                     .low = 0.0034,
                     .high = 0.0351,
                     .verdict = {.kind = VerdictKind::kNotConverged,
                                 .explanation = "use more processes"}};
  Judgement judgement = JudgeAlone({.runs = {run}});
  EXPECT_EQ(judgement.tone, Tone::kWarning);
  EXPECT_THAT(
      judgement.sentences,
      ElementsAre("In 2 fresh processes, of which this is number 1, the "
                  "medians were between 10.0 ms and 12.0 ms.",
                  "Their mean is 11.0 ms; with 95 % confidence it lies between "
                  "3.40 ms and 35.1 ms.",
                  "This mean is not reliable: use more processes."));
}

TEST(Judge, PutsFailuresFirst) {
  mete::Run oom = Took(1, 1, Mebibytes(64));
  oom.outcome = {.kind = OutcomeKind::kOutOfMemory,
                 .detail = "the kernel killed 1 process"};
  Judgement judgement = JudgeAlone({.runs = {Took(1, 1, Mebibytes(1)), oom}});
  EXPECT_EQ(judgement.tone, Tone::kBad);
  EXPECT_EQ(judgement.headline, "Out of memory in 1 of 2 runs");
  EXPECT_THAT(judgement.sentences, Contains("The kernel killed 1 process."));
}

TEST(Judge, ErrorCodeIsAFailure) {
  mete::Run run = Took(1, 1, Mebibytes(1));
  run.application()->exit_code = 7;
  run.outcome = {.kind = OutcomeKind::kFailed, .detail = "exit code 7"};
  Judgement judgement = JudgeAlone({.runs = {run}});
  EXPECT_EQ(judgement.headline, "Failed");
  EXPECT_EQ(judgement.tone, Tone::kBad);
}

TEST(Judge, SaysWhenMoreCpuWouldHelp) {
  mete::Run run = Took(1, 0.5, Mebibytes(1));
  run.application()->usage.periods = 10;
  run.application()->usage.throttled_periods = 5;
  Judgement judgement =
      JudgeAlone({.limits = {.cpus = Millicores{500}}, .runs = {run}});
  EXPECT_EQ(judgement.tone, Tone::kWarning);
  EXPECT_THAT(
      judgement.sentences,
      Contains(HasSubstr("its limit of 0.5 CPUs throttled it in 50 %")));
}

TEST(Judge, ReportsRatesWithTheirRangeAndLostEvents) {
  std::vector<mete::Run> runs;
  for (double rate : {29.0, 30.0, 31.0}) {
    mete::Run run = Took(1, 1, Mebibytes(1));
    run.application()->app_metrics["frames"] = {
        .kind = AppMetricKind::kRate, .rate_hz = rate, .dropped = 1};
    runs.push_back(run);
  }
  Judgement judgement = JudgeAlone({.runs = runs});
  EXPECT_THAT(
      judgement.sentences,
      Contains("It reached 30 frames per second (29 to 31 in 3 runs)."));
  EXPECT_THAT(judgement.sentences, Contains(HasSubstr("3 of its events")));
}

TEST(Judge, SaysWhyNothingRan) {
  Judgement judgement =
      JudgeAlone({.failure = "start ./app: no such file or directory"});
  EXPECT_EQ(judgement.headline, "Could not be started");
  EXPECT_THAT(judgement.sentences,
              ElementsAre("Start ./app: no such file or directory."));
}

TEST(Tiles, AbsentValuesHaveNoTile) {
  mete::Run run = Took(1, 1, Mebibytes(1));
  run.peak_rss.reset();
  std::vector<std::string> labels;
  for (const Tile& tile : MakeTiles({.runs = {run}}, SummariseRepeats({run}))) {
    labels.push_back(tile.label);
  }
  EXPECT_THAT(labels, ElementsAre("Time", "CPU cores", "CPU time"));
}

}  // namespace
}  // namespace mete
