#include "sweep/run_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/fake_page_cache.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/memory_sweep_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// A sweep on fakes: the application needs 70 MiB and reports its epochs.
struct RunSweepStage {
  FakeDependencies platform;
  ScratchFolder scratch = ScratchFolder::Create().value();
  SweepRequest request;
  MemoryRunStore runs;
  MemorySweepStore sweeps;
  FakePageCache page_cache;
  std::vector<std::string> progress;
  std::vector<std::string> warnings;
  std::stop_source stop;

  RunSweepStage() {
    request.sweep.id = "s1";
    request.sweep.plan = {.memory =
                              LimitRange{100 * kMebi, 50 * kMebi, 10 * kMebi}};
    request.application = {.name = "app", .command = {"./app"}};
    request.runs_folder = scratch.path();
    request.context.device = {.id = "d1", .name = "box"};
    EXPECT_TRUE(runs.SaveDevice(request.context.device).ok());
    platform.script = [](const LaunchRequest& launch) {
      ApplicationScript script;
      if (launch.limits.memory < Mebibytes(70)) {
        script.ending = {.signal = 9, .oom_kills = 1, .evidence = "script"};
      }
      script.usage = [](Seconds elapsed) {
        return ResourceUsage{.cpu = elapsed,
                             .periods = 10,
                             .throttled_periods = 4,
                             .memory = Mebibytes(10),
                             .memory_peak = Mebibytes(60)};
      };
      return script;
    };
  }

  Result<SweepResult> Try() {
    ApplicationDependencies the_platform = platform.Get();
    return RunSweep(
        request,
        {.runs = runs,
         .sweeps = sweeps,
         .page_cache = page_cache,
         .platform = the_platform},
        {.progress =
             [this](const std::string& line) { progress.push_back(line); },
         .warn = [this](const std::string& text) { warnings.push_back(text); }},
        stop.get_token());
  }
  Result<Sweep> Go() {
    auto done = Try();
    if (!done.ok()) return done.error();
    EXPECT_TRUE(done->stored.ok());
    return done->sweep;
  }
  std::vector<Run> Runs() { return runs.ListRuns({}).value(); }
};

TEST(RunSweep, RunsUntilAFailureAndKeepsEveryPoint) {
  RunSweepStage stage;
  Sweep sweep = stage.Go().value();
  EXPECT_TRUE(sweep.finished);
  ASSERT_THAT(sweep.points, SizeIs(5));
  EXPECT_TRUE(sweep.points[3].worked);
  EXPECT_FALSE(sweep.points[4].worked);
  EXPECT_EQ(sweep.points[4].outcome.kind, OutcomeKind::kOutOfMemory);
  EXPECT_EQ(sweep.points[4].limits.memory, 60 * kMebi);
  EXPECT_THAT(stage.Runs(), SizeIs(5));
  EXPECT_TRUE(stage.runs.FindRun(sweep.points[0].run_id).ok());
  EXPECT_THAT(stage.sweeps.FindSweep("s1")->points, SizeIs(5));
  EXPECT_DOUBLE_EQ(sweep.points[0].throttled.value(), 0.4);
  EXPECT_EQ(sweep.points[0].peak_memory, Mebibytes(60));
}

TEST(RunSweep, WarnsAboutOtherUsersOfTheCpusBeforeTheFirstRun) {
  RunSweepStage stage;
  stage.platform.host.cpu_times = {{.cpus = 4, .busy = Seconds(10)},
                                   {.cpus = 4, .busy = Seconds(10.4)}};
  Sweep sweep = stage.Go().value();
  EXPECT_THAT(stage.warnings,
              testing::ElementsAre(HasSubstr("use 2.0 of 4 CPUs")));
  EXPECT_THAT(sweep.notes,
              testing::ElementsAre(HasSubstr("use 2.0 of 4 CPUs")));
  EXPECT_EQ(stage.platform.host.cpu_readings, 2u);
  const mete::Run first = stage.runs.FindRun(sweep.points[0].run_id).value();
  EXPECT_NEAR(first.environment.busy_cpus.value(), 2, 0.01);
  EXPECT_THAT(first.application()->notes, SizeIs(1));
}

TEST(RunSweep, KeepsOneNoteIfAResumedSweepFindsTheMachineAsBusy) {
  RunSweepStage stage;
  stage.platform.host.cpu_times = {{.cpus = 4, .busy = Seconds(10)},
                                   {.cpus = 4, .busy = Seconds(10.4)}};
  stage.request.sweep.notes = {
      "other processes use 2.0 of 4 CPUs; times may be too long"};
  Sweep sweep = stage.Go().value();
  EXPECT_THAT(stage.warnings, SizeIs(1));
  EXPECT_THAT(sweep.notes, SizeIs(1));
}

TEST(RunSweep, KeepsTheLastLineOfAWorkloadThatFailsForItsOwnReasons) {
  RunSweepStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{.ending = {.exit_code = 2},
                             .output = "loading\nno such layer: x\x1b[1m\n\n"};
  };
  Sweep sweep = stage.Go().value();
  ASSERT_THAT(sweep.points, SizeIs(1));
  EXPECT_EQ(sweep.points[0].outcome.kind, OutcomeKind::kFailed);
  EXPECT_THAT(sweep.points[0].last_output,
              testing::StartsWith("no such layer: x"));
  EXPECT_EQ(sweep.points[0].last_output.find('\x1b'), std::string::npos);
}

TEST(RunSweep, KeepsNoOutputOfRunsThatWorkOrLackMemory) {
  RunSweepStage stage;
  auto before = stage.platform.script;
  stage.platform.script = [=](const LaunchRequest& launch) {
    ApplicationScript script = before(launch);
    script.output = "epoch 1\n";
    return script;
  };
  auto sweep = stage.Go().value();
  for (const SweepPoint& point : sweep.points) {
    EXPECT_EQ(point.last_output, "");
  }
}

// A file large enough to matter, which the application opens.
std::filesystem::path MakeLibrary(RunSweepStage& stage) {
  auto library = stage.scratch.path() / "lib.so";
  EXPECT_TRUE(WriteFileAtomically(library, std::string(2u << 20, 'x')).ok());
  auto before = stage.platform.script;
  stage.platform.script = [=](const LaunchRequest& launch) {
    ApplicationScript script = before(launch);
    script.files = {library};
    return script;
  };
  return library;
}

// `sh -c './app; exit 0'` completes even if the kernel killed the app.
TEST(MakeSweepPoint, ARunWithAKilledProcessDidNotWork) {
  mete::Run run{.outcome = {.kind = OutcomeKind::kCompleted}};
  ApplicationDetails details{.duration = Seconds(1), .exit_code = 0};
  run.details = details;
  EXPECT_TRUE(MakeSweepPoint({}, run).worked);
  details.usage.oom_kills = 0;
  run.details = details;
  EXPECT_TRUE(MakeSweepPoint({}, run).worked);
  details.usage.oom_kills = 1;
  run.details = details;
  EXPECT_FALSE(MakeSweepPoint({}, run).worked);
  details.usage.oom_kills = 2;
  run.details = details;
  const SweepPoint point = MakeSweepPoint({}, run);
  EXPECT_FALSE(point.worked);
  EXPECT_EQ(point.outcome.kind, OutcomeKind::kOutOfMemory);
  EXPECT_NE(point.outcome.detail.find("killed 2 processes"), std::string::npos);
}

TEST(RunSweep, EvictsFilesBeforeEachRunAndRepeatsTheFirst) {
  RunSweepStage stage;
  stage.request.sweep.plan.cold = true;
  stage.page_cache.kept = Mebibytes(1);
  auto library = MakeLibrary(stage);
  Sweep sweep = stage.Go().value();
  ASSERT_THAT(sweep.points, SizeIs(5));
  EXPECT_THAT(stage.platform.launcher.log().starts, SizeIs(6));
  ASSERT_THAT(stage.page_cache.evicted, SizeIs(5));
  EXPECT_THAT(stage.page_cache.evicted,
              testing::Each(testing::ElementsAre(library)));
  EXPECT_EQ(sweep.points[0].cached, Mebibytes(1));
  EXPECT_THAT(stage.Runs(), SizeIs(5));  // the first one is not kept
}

TEST(RunSweep, EvictsNothingIfWarm) {
  RunSweepStage stage;
  MakeLibrary(stage);
  Sweep sweep = stage.Go().value();
  EXPECT_THAT(stage.page_cache.evicted, SizeIs(0));
  EXPECT_FALSE(sweep.points[0].cached.has_value());
  EXPECT_FALSE(stage.platform.launcher.log().starts[0].record_files);
}

TEST(RunSweep, ARunThatIsTooSlowDoesNotWork) {
  RunSweepStage stage;
  stage.request.sweep.plan.slowdown = 2;
  stage.platform.script = [](const LaunchRequest& launch) {
    ApplicationScript script;
    if (launch.limits.memory < Mebibytes(90)) {
      script.length = std::chrono::milliseconds(2100);
    }
    return script;
  };
  Sweep sweep = stage.Go().value();
  ASSERT_THAT(sweep.points, SizeIs(3));
  EXPECT_TRUE(sweep.points[1].worked);
  EXPECT_FALSE(sweep.points[2].worked);
  EXPECT_TRUE(sweep.points[2].too_slow);
  EXPECT_EQ(sweep.points[2].outcome.kind, OutcomeKind::kCompleted);
}

TEST(RunSweep, AnObjectiveNeedsSteps) {
  RunSweepStage stage;
  stage.request.sweep.plan.objective = {{"p95", Seconds(1)}};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("reports no steps"));
}

SweepPoint Timed(uint64_t memory, double seconds, double step) {
  return {.limits = {.memory = memory},
          .worked = true,
          .duration = Seconds(seconds),
          .steps = StepTimes{.name = "inference",
                             .count = 10,
                             .mean = Seconds(step),
                             .p50 = Seconds(step),
                             .p99 = Seconds(3 * step),
                             .p95 = Seconds(2 * step)}};
}

bool FastEnough(const SweepPlan& plan, SweepPoint point) {
  JudgeSpeed(plan, {Timed(100, 1, 0.010)}, point);
  EXPECT_NE(point.worked, point.too_slow);
  return point.worked;
}

TEST(JudgeSpeed, ComparesRunAndStepWithTheLoosestLimit) {
  SweepPlan plan{.memory = LimitRange{100, 10, 10}, .slowdown = 2};
  EXPECT_TRUE(FastEnough(plan, Timed(50, 2.0, 0.019)));
  EXPECT_FALSE(FastEnough(plan, Timed(50, 2.1, 0.010)));
  EXPECT_FALSE(FastEnough(plan, Timed(50, 1, 0.021)));
  plan.slowdown.reset();
  EXPECT_TRUE(FastEnough(plan, Timed(50, 45, 0.45)));
}

TEST(JudgeSpeed, BoundsAStatisticOfTheStep) {
  SweepPlan plan{.memory = LimitRange{100, 10, 10},
                 .objective = {{"p95", Seconds(0.05)}}};
  EXPECT_TRUE(FastEnough(plan, Timed(50, 1, 0.024)));
  EXPECT_FALSE(FastEnough(plan, Timed(50, 1, 0.026)));
}

TEST(RunSweep, ProgressShowsLimitBoundsAndTimeLeft) {
  RunSweepStage stage;
  stage.request.sweep.plan.search = SweepSearch::kBisect;
  ASSERT_TRUE(stage.Go().ok());
  ASSERT_FALSE(stage.progress.empty());
  EXPECT_THAT(
      stage.progress.front(),
      testing::MatchesRegex("run 1, [0-9]+ left: 100 MiB; [0-9]+ s so far"));
  EXPECT_THAT(stage.progress,
              testing::Contains(testing::MatchesRegex(
                  "run 4, [0-9]+ left \\([0-9.]+ m?s\\): 60.0 MiB; works at "
                  "70.0 MiB, fails at 50.0 MiB; [0-9]+ s so far")));
}

TEST(RunSweep, PassesLimitsToTheWorkload) {
  RunSweepStage stage;
  stage.request.sweep.plan.cpus = LimitRange{500, 500, 0};
  ASSERT_TRUE(stage.Go().ok());
  const LaunchRequest& launch = stage.platform.launcher.log().starts.front();
  EXPECT_EQ(launch.limits.memory, Mebibytes(100));
  EXPECT_EQ(launch.limits.cpus, Millicores{500});
  EXPECT_EQ(launch.environment.at("MEM_LIMIT"), "100");
  EXPECT_EQ(launch.environment.at("CPU_QUOTA"), "50000");
}

TEST(RunSweep, ResumesAfterAStop) {
  RunSweepStage stage;
  auto script = stage.platform.script;
  stage.platform.script = [&](const LaunchRequest& launch) {
    ApplicationScript made = script(launch);
    if (launch.limits.memory == Mebibytes(80)) {
      made.length.reset();
      made.on_wait = [&] { stage.stop.request_stop(); };
    }
    return made;
  };
  Sweep interrupted = stage.Go().value();
  EXPECT_FALSE(interrupted.finished);
  EXPECT_THAT(interrupted.points, SizeIs(2));

  RunSweepStage again;
  again.request.sweep = interrupted;
  Sweep whole = again.Go().value();
  EXPECT_TRUE(whole.finished);
  EXPECT_THAT(whole.points, SizeIs(5));
  EXPECT_THAT(again.Runs(), SizeIs(3));
}

TEST(RunSweep, StopsAWorkloadThatIsTooSlow) {
  RunSweepStage stage;
  stage.platform.script = [](const LaunchRequest& launch) {
    ApplicationScript script;
    script.length = std::chrono::seconds(2);
    if (launch.limits.memory < Mebibytes(90)) script.length.reset();
    return script;
  };
  Sweep sweep = stage.Go().value();
  ASSERT_THAT(sweep.points, SizeIs(3));
  EXPECT_EQ(sweep.points[2].outcome.kind, OutcomeKind::kTimedOut);
  EXPECT_NEAR(sweep.points[2].duration.count(), 20,
              1);  // ten times the slowest
}

TEST(RunSweep, DoesNotWaitMuchLongerThanTheSlowdownAllows) {
  SweepPlan plan{.memory = LimitRange{100, 10, 10}, .slowdown = 2};
  PointLimits tight{.memory = 50};
  std::vector<SweepPoint> before = {Timed(100, 4, 0.01)};
  EXPECT_EQ(PatienceFor(plan, tight, before), Seconds(12));
  plan.slowdown.reset();
  EXPECT_EQ(PatienceFor(plan, tight, before), Seconds(40));
  plan.slowdown = 2;
  before = {Timed(100, 0.1, 0.01)};
  EXPECT_EQ(PatienceFor(plan, tight, before), Seconds(1));
  EXPECT_EQ(PatienceFor(plan, tight, {}), std::nullopt);
}

TEST(RunSweep, RepeatsAShortRunUnderACpuLimit) {
  RunSweepStage stage;
  stage.request.sweep.plan = {.cpus = LimitRange{1000, 500, 500}};
  stage.platform.script = [](const LaunchRequest&) {
    ApplicationScript script;
    script.length = std::chrono::milliseconds(500);
    return script;
  };
  // Four runs of 0.5 s cover 20 quota periods.
  EXPECT_THAT(stage.Go().value().points, SizeIs(8));
}

TEST(RunSweep, FindsNoFloorWhenTheLimitIsNotApplied) {
  RunSweepStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    ApplicationScript script;
    script.missing_limits = {EnforcedLimit::kMemory};
    return script;
  };
  Result<Sweep> sweep = stage.Go();
  ASSERT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(sweep.error().message(),
              HasSubstr("the memory limit is not applied"));
}

TEST(RunSweep, NonzeroExitCodeIsAFailure) {
  RunSweepStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    ApplicationScript script;
    script.ending.exit_code = 3;
    return script;
  };
  Sweep sweep = stage.Go().value();
  ASSERT_THAT(sweep.points, SizeIs(1));
  EXPECT_FALSE(sweep.points[0].worked);
}

TEST(RunSweep, ReadsPhasesAndStepsFromHooks) {
  RunSweepStage stage;
  stage.platform.on_listen = [](const ListenRequest&, AppEventSink& sink) {
    auto timer = [&](const char* name, double seconds) {
      sink.Take(
          {.name = name, .kind = AppMetricKind::kTimer, .value = seconds});
    };
    timer("setup", 0.5);
    for (double seconds : {1.0, 2.0, 3.0}) timer("epoch", seconds);
    for (int i = 0; i < 10; ++i) timer("batch", 0.1);
  };
  SweepPoint point = stage.Go().value().points.front();
  EXPECT_DOUBLE_EQ(point.phases.at("setup").count(), 0.5);
  ASSERT_TRUE(point.steps.has_value());
  EXPECT_EQ(point.steps->name, "epoch");
  EXPECT_EQ(point.steps->count, 3u);
  EXPECT_DOUBLE_EQ(point.steps->mean.count(), 2);
  EXPECT_FALSE(point.steps->mean_low.has_value());  // of three epochs
}

TEST(RunSweep, TheMeanOfManyStepsHasAnInterval) {
  RunSweepStage stage;
  stage.platform.on_listen = [](const ListenRequest&, AppEventSink& sink) {
    for (int i = 0; i < 1000; ++i) {
      sink.Take({.name = "inference",
                 .kind = AppMetricKind::kTimer,
                 .value = i % 7 == 6 ? 0.011 : 0.001});
    }
  };
  SweepPoint point = stage.Go().value().points.front();
  ASSERT_TRUE(point.steps && point.steps->mean_low && point.steps->mean_high);
  EXPECT_NEAR(point.steps->mean.count(), 0.00242, 1e-9);  // 142 are slow
  EXPECT_DOUBLE_EQ(point.steps->p50.count(), 0.001);
  EXPECT_LE(*point.steps->mean_low, point.steps->mean);
  EXPECT_GE(*point.steps->mean_high, point.steps->mean);
  EXPECT_NEAR(point.steps->mean_low->count(), 0.00242, 0.0002);
}

TEST(RunSweep, EndsAfterARunThatCannotBeStoredAndReturnsIt) {
  RunSweepStage stage;
  stage.runs.save_failure = Unavailable("the disk is full");
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(done->sweep.points, SizeIs(1));
  EXPECT_FALSE(done->sweep.finished);
  ASSERT_FALSE(done->stored.ok());
  EXPECT_EQ(done->stored.error().message(),
            "the run is not stored: the disk is full");
}

TEST(RunSweep, TheStepIsTheTimerWithTheMostCalls) {
  mete::Run run{.outcome = {.kind = OutcomeKind::kCompleted}};
  ApplicationDetails details{.duration = Seconds(1), .exit_code = 0};
  auto metric = [](AppMetricKind kind, uint64_t count) {
    return AppMetric{.kind = kind, .mean = 2, .p50 = 3, .count = count};
  };
  details.app_metrics = {{"a", metric(AppMetricKind::kTimer, 5)},
                         {"b", metric(AppMetricKind::kTimer, 7)},
                         {"c", metric(AppMetricKind::kTimer, 7)},
                         {"d", metric(AppMetricKind::kNumber, 90)},
                         {"e", metric(AppMetricKind::kTimer, 1)},
                         {"f", metric(AppMetricKind::kTimer, 0)}};
  run.details = details;
  SweepPoint point = MakeSweepPoint({}, run);
  ASSERT_TRUE(point.steps);
  EXPECT_EQ(point.steps->name, "b");
  EXPECT_EQ(point.steps->count, 7u);
  EXPECT_EQ(point.phases.size(), 1u);
  EXPECT_DOUBLE_EQ(point.phases.at("e").count(), 3);
  // A step of the usual name counts even if it was called once, not if never.
  details.app_metrics["inference"] = metric(AppMetricKind::kTimer, 0);
  run.details = details;
  EXPECT_EQ(MakeSweepPoint({}, run).steps->name, "b");
  details.app_metrics["epoch"] = metric(AppMetricKind::kTimer, 1);
  run.details = details;
  point = MakeSweepPoint({}, run);
  EXPECT_EQ(point.steps->name, "epoch");
  EXPECT_FALSE(point.phases.contains("epoch"));
  details.app_metrics["inference"] = metric(AppMetricKind::kNumber, 9);
  run.details = details;
  EXPECT_EQ(MakeSweepPoint({}, run).steps->name, "epoch");
}

TEST(MakeSweepPoint, OfARunThatDidNotStartHasNoTimes) {
  mete::Run run{.id = "r", .outcome = {.kind = OutcomeKind::kRejected}};
  run.details = ApplicationDetails{};
  const SweepPoint point = MakeSweepPoint({.memory = 7}, run);
  EXPECT_FALSE(point.worked);
  EXPECT_EQ(point.run_id, "r");
  EXPECT_EQ(point.limits.memory, 7u);
  EXPECT_EQ(point.duration, Seconds(0));
}

TEST(MakeSweepPoint, IsThrottledInAShareOfItsPeriods) {
  mete::Run run{.outcome = {.kind = OutcomeKind::kCompleted}};
  ApplicationDetails details{.duration = Seconds(1), .exit_code = 0};
  details.usage.periods = 0;
  details.usage.throttled_periods = 0;
  run.details = details;
  EXPECT_FALSE(MakeSweepPoint({}, run).throttled);
  details.usage.periods = 1;
  run.details = details;
  EXPECT_EQ(MakeSweepPoint({}, run).throttled, 0.0);
  details.usage.throttled_periods.reset();
  run.details = details;
  EXPECT_FALSE(MakeSweepPoint({}, run).throttled);
}

TEST(LimitVariables, AreThoseOfTheEdgeBenchmarkingFramework) {
  EXPECT_TRUE(LimitVariables({}).empty());
  const auto variables =
      LimitVariables({.memory = 3 * kMebi + 5, .millicores = 250});
  EXPECT_EQ(variables.at("MEM_LIMIT"), "3");
  EXPECT_EQ(variables.at("CPU_QUOTA"), "25000");
}

TEST(JudgeSpeed, ToleratesFiftyMilliseconds) {
  SweepPlan plan{.memory = LimitRange{100, 10, 10}, .slowdown = 2};
  SweepPoint point = Timed(50, 0.25, 0.01);
  point.steps.reset();
  EXPECT_TRUE(point.worked);
  JudgeSpeed(plan, {Timed(100, 0.1, 0.010)}, point);  // 0.2 s allowed
  EXPECT_TRUE(point.worked);
  point.duration = Seconds(0.26);
  JudgeSpeed(plan, {Timed(100, 0.1, 0.010)}, point);
  EXPECT_FALSE(point.worked);
}

TEST(JudgeSpeed, KnowsTheStatisticsOfObjectives) {
  for (auto [statistic, factor] : std::map<std::string, double>{
           {"mean", 1}, {"p50", 1}, {"p95", 2}, {"p99", 3}}) {
    SweepPlan plan{.memory = LimitRange{100, 10, 10},
                   .objective = {{statistic, Seconds(0.06)}}};
    EXPECT_TRUE(FastEnough(plan, Timed(50, 1, 0.059 / factor))) << statistic;
    EXPECT_FALSE(FastEnough(plan, Timed(50, 1, 0.061 / factor))) << statistic;
  }
  SweepPlan plan{.memory = LimitRange{100, 10, 10},
                 .objective = {{"p42", Seconds(9)}}};
  EXPECT_FALSE(FastEnough(plan, Timed(50, 1, 0.01)));
}

// What failed says nothing about the speed, and other limits are no reference.
TEST(JudgeSpeed, ComparesWithRunsThatWorkedAtTheLoosestLimit) {
  const SweepPlan plan{.memory = LimitRange{100, 10, 10},
                       .cpus = LimitRange{1000, 500, 500},
                       .slowdown = 2};
  auto judged = [&](SweepPoint reference) {
    SweepPoint point = Timed(50, 9, 0.01);
    point.limits.millicores = 500;
    JudgeSpeed(plan, {std::move(reference)}, point);
    return point.worked;
  };
  SweepPoint reference = Timed(100, 1, 0.01);
  reference.limits.millicores = 500;
  EXPECT_FALSE(judged(reference));
  SweepPoint failed = reference;
  failed.worked = false;
  EXPECT_TRUE(judged(failed));
  SweepPoint tighter = reference;
  tighter.limits.memory = 90;
  EXPECT_TRUE(judged(tighter));
  SweepPoint other = reference;
  other.limits.millicores = 1000;
  EXPECT_TRUE(judged(other));
}

TEST(JudgeSpeed, OfCpuLimitsComparesWithTheMostCpus) {
  const SweepPlan plan{.cpus = LimitRange{1000, 100, 100}, .slowdown = 2};
  auto at = [](uint64_t millicores, double seconds) {
    SweepPoint point = Timed(0, seconds, 0.01);
    point.limits = {.millicores = millicores};
    return point;
  };
  SweepPoint point = at(100, 9);
  JudgeSpeed(plan, {at(1000, 1)}, point);
  EXPECT_FALSE(point.worked);
  point = at(100, 9);
  JudgeSpeed(plan, {at(900, 1)}, point);
  EXPECT_TRUE(point.worked);
}

TEST(RunSweep, WaitsLongerUnderATighterCpuLimit) {
  const SweepPlan plan{.cpus = LimitRange{2000, 500, 500}};
  SweepPoint before = Timed(0, 4, 0.01);
  before.limits = {.millicores = 2000};
  EXPECT_EQ(PatienceFor(plan, {.millicores = 500}, {before}), Seconds(160));
  EXPECT_EQ(PatienceFor(plan, {.millicores = 2000}, {before}), Seconds(40));
  before.worked = false;
  EXPECT_EQ(PatienceFor(plan, {.millicores = 500}, {before}), std::nullopt);
  before.worked = true;
  before.duration = Seconds(0.01);
  EXPECT_EQ(PatienceFor(plan, {.millicores = 500}, {before}), Seconds(10));
}

TEST(RunSweep, EndsIfTheSweepCannotBeStored) {
  RunSweepStage stage;
  stage.request.sweep.id.clear();
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(done->sweep.points, SizeIs(1));
  EXPECT_THAT(done->stored.error().message(),
              testing::StartsWith("the sweep is not stored: "));
}

TEST(RunSweep, StartsNothingAfterAStop) {
  RunSweepStage stage;
  stage.stop.request_stop();
  Sweep sweep = stage.Go().value();
  EXPECT_FALSE(sweep.finished);
  EXPECT_THAT(sweep.points, SizeIs(0));
  EXPECT_THAT(stage.platform.launcher.log().starts, SizeIs(0));
}

TEST(RunSweep, RefusesAPlanThatIsInvalid) {
  RunSweepStage stage;
  stage.request.sweep.plan.repeat = 0;
  EXPECT_EQ(stage.Try().error().code(), ErrorCode::kInvalidInput);
}

TEST(RunSweep, KeepsATimeoutThatTheUserChose) {
  RunSweepStage stage;
  stage.request.application.timeout = Seconds(3);
  stage.platform.script = [](const LaunchRequest& launch) {
    ApplicationScript script;
    script.length = std::chrono::seconds(2);
    if (launch.limits.memory < Mebibytes(90)) script.length.reset();
    return script;
  };
  Sweep sweep = stage.Go().value();
  ASSERT_THAT(sweep.points, SizeIs(3));
  EXPECT_NEAR(sweep.points[2].duration.count(), 3, 0.5);
}

// Small files do not matter.
TEST(RunSweep, DoesNotRepeatTheFirstRunForSmallFiles) {
  RunSweepStage stage;
  stage.request.sweep.plan.cold = true;
  auto library = MakeLibrary(stage);
  std::filesystem::resize_file(library, 1u << 20);
  ASSERT_TRUE(stage.Go().ok());
  EXPECT_THAT(stage.platform.launcher.log().starts, SizeIs(5));
  std::filesystem::resize_file(library, (1u << 20) + 1);
  RunSweepStage again;
  again.request.sweep.plan.cold = true;
  again.platform.script = stage.platform.script;
  ASSERT_TRUE(again.Go().ok());
  EXPECT_THAT(again.platform.launcher.log().starts, SizeIs(6));
}

}  // namespace
}  // namespace mete
