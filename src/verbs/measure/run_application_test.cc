#include "measure/run_application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_launcher.h"
#include "tests/fakes/fake_machine_probe.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;

// A run on fakes. Tests change its settings before calling Run.
struct ApplicationStage {
  FakeClock clock;
  FakeHost host;
  FakeMachineProbe machine;
  ApplicationScript script;
  PreparedApplication prepared{.launch = {.command = {"./app"}}};
  ApplicationProgressCallback progress;
  std::stop_source stop;
  std::unique_ptr<FakeLauncher> launcher;

  Result<ApplicationRun> Try() {
    launcher = std::make_unique<FakeLauncher>(
        clock, [this](const LaunchRequest&) { return script; });
    prepared.launcher = launcher.get();
    return RunApplication(prepared,
                          {.machine = machine, .host = host, .clock = clock},
                          progress, stop.get_token());
  }

  ApplicationRun Run() {
    auto run = Try();
    EXPECT_TRUE(run.ok()) << run.error().message();
    return run.ok() ? *run : ApplicationRun{};
  }
};

TEST(RunApplication, ReportsDurationAndOutcome) {
  ApplicationStage stage;
  stage.script.length = milliseconds(1234);
  ApplicationRun done = stage.Run();
  EXPECT_EQ(done.run.outcome.kind, OutcomeKind::kCompleted);
  EXPECT_NEAR(done.run.application()->duration->count(), 1.234, 1e-9);
  EXPECT_EQ(done.run.application()->exit_code, 0);
  EXPECT_NEAR(done.run.cpu_time->count(), 1.234, 1e-9);
}

TEST(RunApplication, PrefersTheLaunchersDurationUnlessItTimedOut) {
  ApplicationStage stage;
  stage.script.length = milliseconds(100);
  stage.script.ending.lifetime = milliseconds(104);
  EXPECT_NEAR(stage.Run().run.application()->duration->count(), 0.104, 1e-9);
  ApplicationStage cut_short;
  cut_short.script.length.reset();
  cut_short.script.ending.lifetime = milliseconds(2600);
  cut_short.prepared.spec.timeout = Seconds(2);
  EXPECT_NEAR(cut_short.Run().run.application()->duration->count(), 2, 0.001);
}

TEST(RunApplication, ReportsTheMachineEnergyFromStartToEnd) {
  ApplicationStage stage;
  stage.machine.joules_per_reading = 2;
  stage.script.length = milliseconds(350);
  ApplicationRun done = stage.Run();
  // A reading at the start, three samples, one at the end.
  EXPECT_EQ(done.run.application()->energy, Joules{8});
  EXPECT_EQ(done.run.application()->energy_source, "fake");
}

TEST(RunApplication, ReportsGpuUsageAndItsOwnShare) {
  ApplicationStage stage;
  stage.machine.gpus = {{.name = "A2",
                         .utilization = 0.5,
                         .memory_used = Mebibytes(900),
                         .processes = {{.pid = 7, .memory = Mebibytes(300)},
                                       {.pid = 8, .memory = Mebibytes(600)}}}};
  stage.script.process_ids = {7};
  ApplicationRun done = stage.Run();
  ASSERT_TRUE(done.run.application()->gpu.has_value());
  EXPECT_EQ(done.run.application()->gpu->peak_memory, Mebibytes(900));
  EXPECT_EQ(done.run.application()->gpu->application_peak_memory,
            Mebibytes(300));
  EXPECT_EQ(done.samples.front().usage.gpu_memory, Mebibytes(300));
}

TEST(RunApplication, ExplainsAMissingProbeOnlyIfItWasRequested) {
  ApplicationStage stage;
  stage.script.absent = {{.probe = "perf", .reason = "refused"}};
  stage.machine.absent = {{.probe = "gpu", .reason = "no driver"}};
  EXPECT_THAT(stage.Run().run.application()->notes, ElementsAre());
  stage.prepared.spec.probes.required = {"gpu", "perf"};
  EXPECT_THAT(stage.Run().run.application()->notes,
              ElementsAre("refused", "no driver"));
}

TEST(RunApplication, SamplesAtTheRequestedRateWithoutDrift) {
  ApplicationStage stage;
  stage.prepared.spec.sample_hertz = 4;
  stage.script.length = milliseconds(1100);
  // Each sample costs 30 ms, but the next one is still on time.
  stage.script.usage = [&](Seconds elapsed) {
    stage.clock.Advance(milliseconds(30));
    return ResourceUsage{.cpu = elapsed};
  };
  std::vector<double> times;
  for (const UsageSample& sample : stage.Run().samples) {
    times.push_back(sample.at.count());
  }
  EXPECT_THAT(times, ElementsAre(0.25, 0.5, 0.75, 1.0));
}

TEST(RunApplication, NotesBackgroundProcessesThatWereKilled) {
  ApplicationStage stage;
  stage.script.process_ids = {7};
  EXPECT_THAT(stage.Run().run.application()->notes,
              ElementsAre("1 background process was still running when the "
                          "command ended, and was killed"));
  stage.script.process_ids = {7, 8};
  EXPECT_THAT(stage.Run().run.application()->notes,
              ElementsAre("2 background processes were still running when the "
                          "command ended, and were killed"));
  // Whoever stops the command stops all of it.
  stage.script.length.reset();
  stage.prepared.spec.timeout = Seconds(2);
  EXPECT_THAT(stage.Run().run.application()->notes, ElementsAre());
}

TEST(RunApplication, CountsTheSamplesItMissed) {
  ApplicationStage stage;
  stage.prepared.spec.sample_hertz = 10;
  stage.script.length = seconds(1);
  bool first = true;
  stage.script.usage = [&](Seconds) {
    if (std::exchange(first, false)) stage.clock.Advance(milliseconds(250));
    return ResourceUsage{};
  };
  Sampling sampling = stage.Run().run.application()->sampling;
  EXPECT_EQ(sampling.missed, 2u);
  EXPECT_EQ(sampling.taken, 7u);
}

TEST(RunApplication, SendsSigtermAtTheTimeout) {
  ApplicationStage stage;
  stage.script.length.reset();
  stage.prepared.spec.timeout = Seconds(2);
  ApplicationRun done = stage.Run();
  EXPECT_EQ(done.run.outcome.kind, OutcomeKind::kTimedOut);
  EXPECT_EQ(done.run.outcome.detail, "limit 2.00 s; ended by SIGTERM");
  EXPECT_NEAR(done.run.application()->duration->count(), 2, 0.001);
  EXPECT_EQ(stage.launcher->log().killed, 0);
}

// Without a cgroup, the CPU time of a running process is known in steps of
// 10 ms; when it has ended, exactly.
struct CoarseCpu {
  ApplicationStage stage;
  int readings = 0;

  // The CPU time of a run that was stopped, for these two readings.
  std::optional<Seconds> Run(Seconds while_running, Seconds after_the_end) {
    stage.script.length.reset();
    stage.prepared.spec.timeout = Seconds(0.5);
    stage.prepared.spec.sample_hertz = 1;  // no sample
    stage.script.usage = [=, this](Seconds) {
      return ResourceUsage{
          .cpu = ++readings == 1 ? while_running : after_the_end,
          .memory = Mebibytes(1),
          .proportional_memory = Mebibytes(1),
          .proportional_at = Seconds(0.9)};
    };
    ApplicationRun done = stage.Run();
    EXPECT_EQ(done.run.cpu_time, done.run.application()->usage.cpu);
    // It was read while the application was being stopped.
    EXPECT_EQ(done.run.application()->usage.proportional_at, Seconds(0.5));
    return done.run.cpu_time;
  }
};

TEST(RunApplication, NothingWasReadAfterTheEndOfTheRun) {
  ApplicationStage stage;
  stage.script.usage = [](Seconds elapsed) {
    return ResourceUsage{.cpu = elapsed,
                         .proportional_memory = Mebibytes(1),
                         .proportional_at = Seconds(9)};
  };
  ApplicationRun done = stage.Run();
  EXPECT_EQ(done.run.application()->usage.proportional_at,
            done.run.application()->duration);
}

TEST(RunApplication, AStoppedRunHasNoCpuTimeOfZero) {
  EXPECT_EQ(CoarseCpu().Run(Seconds(0), Seconds(0.0015)), Seconds(0.0015));
  EXPECT_EQ(CoarseCpu().Run(Seconds(0.49), Seconds(0.6)), Seconds(0.49));
  // It worked on after SIGTERM: how much was before is not known.
  EXPECT_EQ(CoarseCpu().Run(Seconds(0), Seconds(0.6)), std::nullopt);
}

TEST(RunApplication, SendsSigkillAfterTheGracePeriod) {
  ApplicationStage stage;
  stage.script.length.reset();
  stage.script.heeds_terminate = false;
  stage.prepared.spec.timeout = Seconds(2);
  stage.prepared.spec.grace = Seconds(3);
  ApplicationRun done = stage.Run();
  EXPECT_EQ(done.run.outcome.detail,
            "limit 2.00 s; ignored SIGTERM, killed by SIGKILL");
  EXPECT_EQ(stage.launcher->log().killed, 1);
  EXPECT_EQ(stage.clock.Now(), seconds(5));
  // The usage covers only the time until the timeout.
  EXPECT_NEAR(done.run.application()->usage.cpu->count(), 2, 0.001);
}

TEST(RunApplication, IsInterruptedWithinATenthOfASecond) {
  ApplicationStage stage;
  stage.script.length.reset();
  stage.prepared.spec.sample_hertz = 1;
  stage.script.on_wait = [&] {
    if (stage.clock.Now() >= milliseconds(400)) stage.stop.request_stop();
  };
  ApplicationRun done = stage.Run();
  EXPECT_EQ(done.run.outcome.kind, OutcomeKind::kInterrupted);
  EXPECT_LE(done.run.application()->duration->count(), 0.5);
  EXPECT_EQ(stage.launcher->log().terminated, 1);
}

TEST(RunApplication, CanUseAShorterGracePeriodWhenInterrupted) {
  for (bool by_user : {true, false}) {
    ApplicationStage stage;
    stage.prepared.spec.grace = seconds(5);
    stage.prepared.interrupt_grace = milliseconds(300);
    stage.prepared.spec.timeout = seconds(1);
    stage.script = {.length = std::nullopt, .heeds_terminate = false};
    if (by_user) stage.stop.request_stop();
    stage.Run();
    EXPECT_EQ(stage.launcher->log().killed, 1);
    EXPECT_EQ(stage.clock.Now(), by_user ? milliseconds(300) : seconds(1 + 5));
  }
}

TEST(RunApplication, RefusedLimitIsARejectedRun) {
  ApplicationStage stage;
  stage.script.start_failure = Unsupported("memory limit 4 KiB: too small");
  ApplicationRun done = stage.Run();
  EXPECT_EQ(done.run.outcome.kind, OutcomeKind::kRejected);
  EXPECT_EQ(done.run.outcome.detail, "memory limit 4 KiB: too small");
}

TEST(RunApplication, MissingProgramIsAnError) {
  ApplicationStage stage;
  stage.script.start_failure = NotFound("start ./app: no such file");
  auto run = stage.Try();
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::kNotFound);
}

TEST(RunApplication, RefusesATimeoutOfZeroAndRatesOutOfRange) {
  ApplicationStage no_time;
  no_time.prepared.spec.timeout = Seconds(0);
  EXPECT_FALSE(no_time.Try().ok());
  ApplicationStage slow;
  slow.prepared.spec.sample_hertz = 0.5;
  EXPECT_FALSE(slow.Try().ok());
  ApplicationStage fast;
  fast.prepared.spec.sample_hertz = 1001;
  EXPECT_FALSE(fast.Try().ok());
}

TEST(JudgeEnding, OomKillIsOutOfMemory) {
  ApplicationSpec spec;
  spec.limits.memory = Mebibytes(64);
  RunOutcome outcome = JudgeEnding(
      {.signal = SIGKILL, .oom_kills = 1, .evidence = "cgroup v1 oom_kill"},
      EndedBy::kItself, spec);
  EXPECT_EQ(outcome.kind, OutcomeKind::kOutOfMemory);
  EXPECT_EQ(outcome.detail,
            "the kernel killed 1 process at the limit of 64.0 MiB (cgroup v1 "
            "oom_kill)");
}

TEST(JudgeEnding, SurvivingAnOomKilledChildIsCompleted) {
  RunOutcome outcome =
      JudgeEnding({.exit_code = 0, .oom_kills = 1}, EndedBy::kItself, {});
  EXPECT_EQ(outcome.kind, OutcomeKind::kCompleted);
}

TEST(JudgeEnding, UnexplainedKillIsACrash) {
  RunOutcome outcome = JudgeEnding({.signal = SIGKILL}, EndedBy::kItself, {});
  EXPECT_EQ(outcome.kind, OutcomeKind::kCrashed);
  EXPECT_EQ(outcome.detail, "signal 9 (Killed)");
}

TEST(JudgeEnding, AnExitCodeOtherThanZeroIsAFailure) {
  RunOutcome outcome = JudgeEnding({.exit_code = 3}, EndedBy::kItself, {});
  EXPECT_EQ(outcome.kind, OutcomeKind::kFailed);
  EXPECT_EQ(outcome.detail, "exit code 3");
}

TEST(JudgeEnding, UnknownExitStatusIsNotCompleted) {
  RunOutcome outcome =
      JudgeEnding({.evidence = "the engine is gone"}, EndedBy::kItself, {});
  EXPECT_EQ(outcome.kind, OutcomeKind::kCrashed);
  EXPECT_EQ(outcome.detail, "its exit status is unknown: the engine is gone");
}

// Up to 4 MiB are usually libraries that every program shares.
TEST(RunApplication, NotesFilesThatThePeakLeavesOut) {
  auto notes_for = [](uint64_t resident) {
    ApplicationStage stage;
    stage.script.usage = [=](Seconds) {
      return ResourceUsage{.memory_peak = Mebibytes(10),
                           .resident_peak = Bytes{resident}};
    };
    return stage.Run().run.application()->notes;
  };
  EXPECT_THAT(notes_for(Mebibytes(14).count), testing::IsEmpty());
  EXPECT_THAT(notes_for(Mebibytes(14).count + 1),
              ElementsAre(testing::StartsWith(
                  "the memory peak leaves out at least 4.0 MiB of files")));
}

}  // namespace
}  // namespace mete
