#include "sweep/sweep_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/clock.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SweepPoint Point(uint64_t mebibytes, bool worked) {
  SweepPoint point{.limits = {.memory = mebibytes * kMebi},
                   .run_id = "r" + std::to_string(mebibytes),
                   .worked = worked,
                   .started_at = ParseUtc("2026-05-01T12:30:00Z").value(),
                   .duration = Seconds(2.5)};
  if (!worked) {
    point.outcome = {OutcomeKind::kOutOfMemory,
                     "1 process ended by the kernel"};
  }
  return point;
}

Sweep Bisected() {
  return {.id = "s1",
          .workload = "app",
          .plan = {.memory = LimitRange{200 * kMebi, 100 * kMebi, kMebi},
                   .search = SweepSearch::kBisect},
          .points = {Point(200, true), Point(142, false), Point(143, true),
                     Point(143, true), Point(143, true)},
          .finished = true};
}

TEST(SweepText, ShowsTheAnswerFirst) {
  EXPECT_EQ(AnswerText(Bisected()),
            "app needs 143 MiB (confirmed 3/3; 142 MiB fails)");
  EXPECT_THAT(SweepText(Bisected()),
              StartsWith("app needs 143 MiB (confirmed 3/3; 142 MiB fails)\n"));
}

TEST(SweepText, SaysWhenTheFloorMayBeLower) {
  Sweep sweep = Bisected();
  sweep.points = {Point(200, true), Point(100, true)};
  EXPECT_THAT(AnswerText(sweep),
              HasSubstr("works with 100 MiB, the lowest limit tried (1 of 3 "
                        "runs)"));
}

TEST(SweepText, SaysWhenNothingWorks) {
  Sweep sweep = Bisected();
  sweep.points = {Point(200, false)};
  EXPECT_EQ(AnswerText(sweep), "app fails even with 200 MiB");
}

TEST(SweepText, SaysWhenTheLoosestLimitWorkedOnlySometimes) {
  Sweep sweep = Bisected();
  sweep.plan.slowdown = 2;
  sweep.points = {Point(200, true), Point(200, false)};
  sweep.points[1].outcome = {};
  sweep.points[1].too_slow = true;
  EXPECT_EQ(AnswerText(sweep), "app failed in 1 of 2 runs even with 200 MiB");
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\nRuns with the loosest limit differ by more than the "
                        "slowdown allows, so"));
  sweep.points = {Point(200, true)};
  EXPECT_THAT(SweepText(sweep), Not(HasSubstr("loosest limit differ")));
}

TEST(SweepText, ShowsWhatAFailedWorkloadPrintedLast) {
  Sweep sweep = Bisected();
  sweep.points = {Point(200, false)};
  sweep.points[0].outcome = {OutcomeKind::kFailed, "exit code 2"};
  sweep.points[0].last_output = "no such layer: x";
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("First failure, at 200 MiB: exit code 2 (mete runs "
                        "show r200). Its last line of\noutput: no such layer: "
                        "x\n"));
}

TEST(SweepText, NotesWhatMayHaveDisturbedTheTimes) {
  Sweep sweep = Bisected();
  sweep.notes = {"other processes use 1.0 of 2 CPUs; times may be too long"};
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\nBefore the first run: other processes use 1.0 of 2 "
                        "CPUs; times may be too long.\n"));
}

// Inferences for 5 s at each CPU limit, with means known to ±5 %.
Sweep ByCpus(const std::map<uint64_t, double>& means) {
  Sweep sweep{.workload = "net", .plan = {.cpus = LimitRange{1000, 100, 100}}};
  for (auto [millicores, mean] : means) {
    SweepPoint point{.limits = {.millicores = millicores}, .worked = true};
    point.steps = StepTimes{.name = "inference",
                            .count = static_cast<uint64_t>(5 / mean),
                            .mean = Seconds(mean),
                            .p50 = Seconds(mean),
                            .p99 = Seconds(mean),
                            .mean_low = Seconds(0.95 * mean),
                            .mean_high = Seconds(1.05 * mean)};
    sweep.points.push_back(point);
  }
  return sweep;
}

TEST(SweepText, ShowsTimesBesideTheCpuFloor) {
  EXPECT_THAT(AnswerText(ByCpus({{1000, 0.031}, {250, 0.124}})),
              HasSubstr("(1 of 1 run). Mean time per inference: 31.0 ms (29.4 "
                        "ms to 32.6 ms) with 1 CPU, 124 ms (118 ms to 130 ms) "
                        "with 0.25 CPUs"));
}

TEST(SweepText, ComparesTheOtherLimitsIfTheTimeAtOneIsUnknown) {
  Sweep sweep = ByCpus({{1000, 0.031}, {400, 0.075}, {100, 0.3}});
  sweep.points[0].steps->count = 1;  // at 0.1 CPUs: less than 20 periods
  sweep.points[0].duration = Seconds(0.3);
  EXPECT_THAT(AnswerText(sweep), Not(HasSubstr("cannot tell")));
  EXPECT_THAT(AnswerText(sweep),
              EndsWith(". 0.1 CPUs: not compared, because the time has no "
                       "interval"));
  Json json = SweepAnswerJson(sweep);
  EXPECT_EQ(json["fastest_millicores"], Json({1000}));
  EXPECT_EQ(json["fastest_known"], false);
}

TEST(SweepText, SaysThatItWasInterruptedBeforeTheFirstRunEnded) {
  Sweep sweep{.workload = "net", .plan = {.cpus = LimitRange{1000, 100, 100}}};
  EXPECT_EQ(AnswerText(sweep), "net: interrupted before the first run ended");
}

TEST(SweepText, DoesNotNameAWinnerAmongOverlappingIntervals) {
  Sweep sweep = ByCpus({{1000, 0.031}, {400, 0.030}, {100, 0.3}});
  EXPECT_THAT(AnswerText(sweep),
              EndsWith(". 0.4 and 1 CPU: cannot tell which is faster"));
  Json json = SweepAnswerJson(sweep);
  EXPECT_EQ(json["fastest_millicores"], Json({1000, 400}));
  EXPECT_EQ(json["fastest_known"], false);
  sweep = ByCpus({{1000, 0.031}, {400, 0.075}, {100, 0.3}});
  EXPECT_THAT(AnswerText(sweep), Not(HasSubstr("cannot tell")));
  EXPECT_EQ(SweepAnswerJson(sweep)["fastest_known"], true);
}

TEST(SweepText, EveryPointHasAnIntervalAndAVerdict) {
  Sweep sweep = ByCpus({{1000, 0.031}, {100, 0.3}});
  sweep.points[1].steps->count = 1;  // 31 ms in all
  EXPECT_THAT(SweepText(sweep), HasSubstr("5.0 %"));
  EXPECT_THAT(SweepText(sweep), HasSubstr("stable"));
  EXPECT_THAT(SweepText(sweep), HasSubstr("too few samples"));
  Json points = SweepAnswerJson(sweep)["points"];
  EXPECT_DOUBLE_EQ(points[0]["estimate"]["high_seconds"], 0.315);
  EXPECT_EQ(points[0]["estimate"]["verdict"], "stable");
  EXPECT_EQ(points[1]["estimate"]["verdict"], "too_few_samples");
  EXPECT_FALSE(points[1]["estimate"].contains("low_seconds"));
  std::string csv = SweepCsv(sweep);
  EXPECT_THAT(csv, HasSubstr("mean_low_seconds,mean_high_seconds,verdict\n"));
  EXPECT_THAT(csv, HasSubstr(",0.3,0.285,0.315,stable\n"));
  EXPECT_THAT(csv, HasSubstr(",0.031,,,too_few_samples\n"));
}

size_t LongestLine(const std::string& text) {
  size_t longest = 0;
  for (const std::string& line : SplitAt(text, '\n')) {
    longest = std::max(longest, DisplayWidth(line));
  }
  return longest;
}

TEST(SweepText, TableFitsATerminal) {
  Sweep sweep = Bisected();
  sweep.plan.cpus = LimitRange{1000, 250, 250};
  for (SweepPoint& point : sweep.points) {
    point.limits.millicores = 1000;
    point.throttled = 0.123;
    point.peak_memory = Mebibytes(142);
    point.steps = StepTimes{"inference", 100, Seconds(0.0123), Seconds(0.0123),
                            Seconds(0.123)};
    point.steps->mean_low = Seconds(0.0103);
    point.steps->mean_high = Seconds(0.0143);
  }
  EXPECT_LE(LongestLine(SweepText(sweep)), 80u);
  sweep.plan.cpus.reset();
  for (SweepPoint& point : sweep.points) point.limits.millicores.reset();
  EXPECT_LE(LongestLine(SweepText(sweep)), 80u);
  sweep.plan = {.cpus = LimitRange{1000, 250, 250}};
  for (SweepPoint& point : sweep.points) point.limits = {.millicores = 1000};
  EXPECT_LE(LongestLine(SweepText(sweep)), 80u);
}

TEST(SweepJson, StartsWithTheAnswer) {
  Json json = SweepAnswerJson(Bisected());
  EXPECT_EQ(json.begin().key(), "smallest_working_bytes");
  EXPECT_EQ(json["smallest_working_bytes"], 143 * kMebi);
  EXPECT_EQ(json["largest_failing_bytes"], 142 * kMebi);
  EXPECT_EQ(json["confirmed"], true);
  EXPECT_EQ(json["points"].size(), 5u);
  EXPECT_EQ(json["points"][1]["outcome"], "out_of_memory");
}

TEST(SweepCsv, HasOneLinePerRun) {
  std::string csv = SweepCsv(Bisected());
  EXPECT_THAT(csv, StartsWith("memory_limit_bytes,cpu_limit_millicores,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 6);
  EXPECT_THAT(csv, HasSubstr("148897792,,out_of_memory,0,2.5,"));
}

TEST(PredecessorCsv, HasItsColumnsAndOnlySuccessfulRuns) {
  Sweep sweep = Bisected();
  sweep.points[0].phases = {{"parse_args", Seconds(0.01)},
                            {"setup", Seconds(0.5)},
                            {"evaluate", Seconds(1.5)}};
  sweep.points[0].steps = StepTimes{.name = "epoch"};
  std::string csv = PredecessorCsv(sweep).value();
  EXPECT_THAT(csv, StartsWith("timedate,memory_limit,parse_args(),"
                              "create_folder(),train.init(),train.setup(),"
                              "train.evaluate()\n"
                              "2026-05-01 12:30:00.000000,200,0.01,,,0.5,1.5"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
  EXPECT_THAT(csv, HasSubstr(",143,,,,,2.5"));
}

TEST(PredecessorCsv, CpuSweepHasTheQuota) {
  Sweep sweep{.plan = {.cpus = LimitRange{500, 500, 0}},
              .points = {{.limits = {.millicores = 500}, .worked = true}}};
  std::string csv = PredecessorCsv(sweep).value();
  EXPECT_THAT(csv, HasSubstr("cpu_quota"));
  EXPECT_THAT(csv, HasSubstr(",50000,"));
  EXPECT_THAT(csv, HasSubstr("inference.evaluate()"));
  sweep.plan.memory = LimitRange{1, 1, 0};
  EXPECT_FALSE(PredecessorCsv(sweep).ok());
}

}  // namespace
}  // namespace mete
