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

TEST(SweepText, NamesUpToFourLimitsThatMayBeTheFastest) {
  Sweep sweep = ByCpus({{1000, 0.031}, {700, 0.030}, {400, 0.0305}});
  EXPECT_THAT(AnswerText(sweep),
              EndsWith(". 0.4, 0.7 and 1 CPU: cannot tell which is fastest"));
  sweep = ByCpus({{1000, 0.031}, {700, 0.030}, {400, 0.0305}, {300, 0.0305}});
  EXPECT_THAT(AnswerText(sweep),
              EndsWith(". 0.3, 0.4, 0.7 and 1 CPU: cannot tell which is "
                       "fastest"));
  sweep = ByCpus({{1000, 0.031},
                  {700, 0.030},
                  {400, 0.0305},
                  {300, 0.0305},
                  {200, 0.0305}});
  EXPECT_THAT(AnswerText(sweep),
              EndsWith(". 0.2 to 1 CPU (5 limits): cannot tell which is "
                       "fastest"));
}

TEST(SweepText, SaysWhatCountedAsWorking) {
  Sweep sweep = Bisected();
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\nThe workload's files could be in the page cache"));
  sweep.plan.slowdown = 1.5;
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\nA run works if it takes at most 1.5 times as long"));
  sweep.plan.objective = {{"p95", Seconds(0.05)}};
  const std::string both = MakeNotes(sweep, {}).front();
  EXPECT_THAT(both, HasSubstr("loosest limit, and if the p95 of a step is at "
                              "most 50.0 ms. The workload's"));
  sweep.plan.slowdown.reset();
  EXPECT_THAT(MakeNotes(sweep, {}).front(),
              StartsWith("A run works if the p95 of a step is at most 50.0 "
                         "ms. "));
}

TEST(SweepText, SaysHowMuchStayedInThePageCache) {
  Sweep sweep = Bisected();
  sweep.plan.cold = true;
  EXPECT_THAT(MakeNotes(sweep, {}).front(),
              EndsWith("files were evicted from the page cache."));
  sweep.points[1].cached = Mebibytes(3);
  sweep.points[2].cached = Mebibytes(2);
  EXPECT_THAT(MakeNotes(sweep, {}).front(),
              HasSubstr("page cache, except 3.0 MiB that other programs use"));
}

TEST(SweepText, ExplainsStepsThatWaitForThePeriod) {
  Sweep sweep = Bisected();
  SweepAnswer answer;
  const size_t without = MakeNotes(sweep, answer).size();
  answer.times = {{.millicores = 250, .time = {}, .bimodal = true}};
  const std::vector<std::string> notes = MakeNotes(sweep, answer);
  ASSERT_EQ(notes.size(), without + 1);
  EXPECT_THAT(notes[1], StartsWith("Under a CPU limit, short steps"));
}

TEST(SweepText, NotesTheFirstDoubtOfEachKind) {
  Sweep sweep = ByCpus({{1000, 0.031}, {500, 0.06}, {100, 0.3}});
  for (SweepPoint& point : sweep.points) {
    point.steps->mean_high = 1.5 * point.steps->mean;
  }
  size_t doubts = 0;
  for (const std::string& note : MakeNotes(sweep, {})) {
    if (note.find(", for example at 0.1 CPUs: the 95 % interval is ±") !=
        std::string::npos) {
      ++doubts;
      EXPECT_THAT(note, StartsWith("Not converged"));
    }
  }
  EXPECT_EQ(doubts, 1u);
  EXPECT_EQ(MakeNotes(sweep, {}).size(), 2u);  // and the page cache
}

TEST(SweepText, SaysThatAnUnfinishedSweepCanBeResumed) {
  Sweep sweep = Bisected();
  EXPECT_THAT(SweepText(sweep), Not(HasSubstr("not finished")));
  EXPECT_THAT(SweepText(sweep), EndsWith("\nsweep s1, 5 runs\n"));
  sweep.finished = false;
  sweep.points.resize(1);
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\nnot finished: rerun the command to resume\n"));
  EXPECT_THAT(SweepText(sweep), EndsWith("\nsweep s1, 1 run\n"));
}

// Memory at each CPU limit: 100 and 90 MiB at one CPU, 100 at a half.
Sweep OfBoth() {
  Sweep sweep{
      .id = "s1",
      .workload = "app",
      .plan = {.memory = LimitRange{100 * kMebi, 80 * kMebi, 10 * kMebi},
               .cpus = LimitRange{1000, 500, 500}},
      .points = {Point(100, true), Point(90, true), Point(80, false),
                 Point(100, true), Point(90, false)},
      .finished = true};
  for (size_t i = 0; i < 5; ++i) {
    sweep.points[i].limits.millicores = i < 3 ? 1000 : 500;
  }
  sweep.points[3].duration = Seconds(5);
  return sweep;
}

TEST(SweepText, HasALineForTheFloorAtEachCpuLimit) {
  const std::string text = SweepText(OfBoth());
  EXPECT_THAT(text, StartsWith("app needs 90.0 MiB (confirmed 1/1; 80.0 MiB "
                               "fails) with 1 CPU. "));
  EXPECT_THAT(text, HasSubstr("\n\nwith 0.5 CPUs: needs 100 MiB (confirmed "
                              "1/1; 90.0 MiB fails)\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nwith 1 CPU:")));
}

TEST(SweepText, ListsTheBestTradeOffs) {
  Sweep sweep = OfBoth();
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\nbest trade-offs of memory, CPUs and time\n"
                        "  90.0 MiB, 1 CPU: 2.50 s\n"
                        "  100 MiB, 0.5 CPUs: 5.00 s\n"
                        "1 other point may belong to it, too: cannot tell\n"));
  sweep.points[0].duration = Seconds(2);
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("time\n"
                        "  100 MiB, 1 CPU: 2.00 s (cannot tell)\n"
                        "  90.0 MiB, 1 CPU: 2.50 s\n"
                        "  100 MiB, 0.5 CPUs: 5.00 s\n"
                        "cannot tell: not certainly faster than a point that "
                        "needs less\n\n"));
  EXPECT_THAT(SweepText(Bisected()), Not(HasSubstr("trade-offs")));
}

TEST(SweepText, PutsTheTightestLimitsLast) {
  Sweep sweep = OfBoth();
  std::swap(sweep.points[0], sweep.points[4]);
  const std::string text = SweepText(sweep);
  const size_t table = text.find("outcome");
  const size_t first = text.find("100 MiB     1", table);
  const size_t last = text.find("90.0 MiB   0.5", table);
  EXPECT_LT(first, last) << text;
  EXPECT_NE(last, std::string::npos) << text;
}

TEST(SweepText, TheTableOfOneCpuLimitHasTheTimeOfItsSteps) {
  Sweep sweep = ByCpus({{1000, 0.031}, {100, 0.3}});
  for (SweepPoint& point : sweep.points) point.duration = Seconds(7);
  std::string text = SweepText(sweep);
  EXPECT_THAT(text, Not(HasSubstr("7.00 s")));
  EXPECT_THAT(text, HasSubstr("31.0 ms"));
  EXPECT_THAT(text, HasSubstr("\nmean, p99: of one inference; ±: 95 % "
                              "confidence interval of the mean\n"));
  sweep.points[0].throttled = 0.123;
  EXPECT_THAT(SweepText(sweep), HasSubstr("12 %"));
  sweep.points[1].steps.reset();
  EXPECT_THAT(SweepText(sweep), HasSubstr("7.00 s"));
}

TEST(SweepText, TheLegendOfRunsWithoutStepsIsAboutTheirTime) {
  Sweep sweep = Bisected();
  EXPECT_THAT(SweepText(sweep),
              HasSubstr("\n±: 95 % confidence interval of the mean time\n"));
  sweep.points.resize(1);
  EXPECT_THAT(SweepText(sweep), Not(HasSubstr("confidence")));
}

TEST(OutcomeText, IsThatOfTheRunUnlessItWorkedOrWasTooSlow) {
  SweepPoint point = Point(10, true);
  EXPECT_EQ(OutcomeText(point), "works");
  point.worked = false;
  EXPECT_EQ(OutcomeText(point), "failed");  // although it completed
  point.too_slow = true;
  EXPECT_EQ(OutcomeText(point), "too slow");
  EXPECT_EQ(OutcomeText(Point(10, false)), "out of memory");
}

TEST(LimitsText, HasBothLimits) {
  EXPECT_EQ(LimitsText({.memory = 10 * kMebi}), "10.0 MiB");
  EXPECT_EQ(LimitsText({.millicores = 250}), "0.25 CPUs");
  EXPECT_EQ(LimitsText({.memory = 10 * kMebi, .millicores = 1000}),
            "10.0 MiB, 1 CPU");
}

TEST(AnswerText, OfASweepWithoutPointsSaysSo) {
  Sweep sweep = Bisected();
  sweep.points.clear();
  EXPECT_EQ(AnswerText(sweep), "app was not run");
  sweep.plan = {.cpus = LimitRange{1000, 100, 100}};
  EXPECT_EQ(AnswerText(sweep), "app nothing was run");
}

TEST(AnswerText, SaysHowOftenTheNextLimitFailed) {
  Sweep sweep = Bisected();
  sweep.points.push_back(Point(142, true));
  EXPECT_EQ(AnswerText(sweep),
            "app needs 143 MiB (confirmed 3/3; 142 MiB failed in 1 of 2 "
            "runs)");
  sweep.points.push_back(Point(143, true));  // a fourth run
  EXPECT_THAT(AnswerText(sweep), HasSubstr("confirmed 3/3"));
}

TEST(SweepJson, OfCpusHasTheFloorAndTheFront) {
  Sweep sweep = ByCpus({{1000, 0.031}, {500, 0.06}, {100, 0.3}});
  sweep.points[0].worked = false;
  Json json = SweepAnswerJson(sweep);
  EXPECT_EQ(json["smallest_working_millicores"], 500);
  EXPECT_EQ(json["largest_failing_millicores"], 100);
  EXPECT_EQ(json["confirming_runs"], 1);
  EXPECT_EQ(json["pareto_front"], Json({1, 2}));
  EXPECT_EQ(json["pareto_cannot_tell"], Json::array());
  EXPECT_EQ(json["points"][1]["estimate"]["of"], "inference");
  EXPECT_EQ(json["points"][1]["estimate"]["runs"], 1);
  EXPECT_EQ(json["points"][1]["estimate"]["confidence"], 0.95);
  EXPECT_FALSE(json["points"][0].contains("estimate"));
  EXPECT_EQ(SweepAnswerJson(Bisected())["points"][0]["estimate"]["of"], "run");
  EXPECT_EQ(SweepAnswerJson({})["confirming_runs"], 0);
}

TEST(SweepJson, ListsPointsThatAreInDoubt) {
  Sweep sweep = OfBoth();
  Json json = SweepAnswerJson(sweep);
  EXPECT_EQ(json["pareto_front"], Json({1, 3}));
  EXPECT_EQ(json["pareto_cannot_tell"], Json({0}));  // near the front
  sweep.points[0].duration = Seconds(2);
  json = SweepAnswerJson(sweep);
  EXPECT_EQ(json["pareto_front"], Json({0, 1, 3}));
  EXPECT_EQ(json["pareto_cannot_tell"], Json({0}));
}

TEST(SweepCsv, HasEveryNumberOfARun) {
  Sweep sweep = ByCpus({{500, 0.25}});
  SweepPoint& point = sweep.points[0];
  point.limits.memory = 1024;
  point.duration = Seconds(6);
  point.cpu_time = Seconds(3);
  point.peak_memory = Bytes{512};
  point.throttled = 0.5;
  point.run_id = "r1";
  point.started_at = ParseUtc("2026-05-01T12:30:00Z").value();
  point.steps->p50 = Seconds(0.2);
  point.steps->p95 = Seconds(0.4);
  point.steps->p99 = Seconds(0.5);
  EXPECT_THAT(SweepCsv(sweep),
              EndsWith("\n1024,500,completed,1,6,3,512,0.5,inference,20,0.25,"
                       "0.2,0.5,2026-05-01T12:30:00Z,r1,0.4,0.25,0.2375,"
                       "0.2625,stable\n"));
}

}  // namespace
}  // namespace mete
