#include "measure/observe_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

// Observes a service of the fake launcher, which runs for 100 s.
struct ObserveStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  ObserveRequest request{.target = {.pid = 7}, .duration = Seconds(30)};
  std::stop_source stop;
  std::optional<Error> failure;
  std::chrono::nanoseconds probe_takes{0};  // to open the probes of the machine
  ApplicationScript script{.length = std::chrono::seconds(100)};

  Result<ApplicationMeasurement> Try() {
    platform.script = [this](const LaunchRequest&) { return script; };
    ApplicationDependencies dependencies = platform.Get();
    dependencies.new_machine_probe = [this] {
      platform.clock.Advance(probe_takes, std::chrono::nanoseconds(0));
      return std::make_unique<FakeMachineProbe>();
    };
    return ObserveService(
        request,
        {.measure = {.runs = runs,
                     .platform = dependencies,
                     .torch = {},
                     .runs_folder = scratch.path()},
         .attach = [this](const AttachTarget&) -> Result<AttachedService> {
           if (failure) return *failure;
           ASSIGN_OR_RETURN(auto running, platform.launcher.Start({}));
           return AttachedService{
               .workload = {.kind = WorkloadKind::kService, .name = "detector"},
               .application = std::move(running)};
         }},
        {}, stop.get_token());
  }
};

TEST(ObserveService, CompletesWhenTheTimeIsOver) {
  ObserveStage stage;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  const mete::Run& run = done->runs.at(0);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted);
  EXPECT_EQ(run.outcome.detail, "observed for 30.0 s, and it is still running");
  EXPECT_EQ(run.workload.kind, WorkloadKind::kService);
  EXPECT_EQ(run.workload.name, "detector");
  EXPECT_NEAR(run.application()->duration->count(), 30, 0.2);
  EXPECT_NEAR(run.cpu_time->count(), 30, 0.2);
  EXPECT_GT(run.application()->sampling.taken, 290u);
  EXPECT_EQ(stage.runs.ListRuns({})->size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(run.application()->samples_file));
  EXPECT_EQ(run.application()->log_file, "");
  EXPECT_FALSE(
      std::filesystem::exists(stage.scratch.path() / run.id / "app.log"));
}

TEST(ObserveService, DoesNotCountWhatWasUsedWhileItPrepared) {
  ObserveStage stage;
  stage.probe_takes = std::chrono::seconds(3);
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_NEAR(done->runs[0].cpu_time->count(), 30, 0.2);
}

TEST(ObserveService, SaysWhenTheServiceEndedMeanwhile) {
  ObserveStage stage;
  stage.script.length = std::chrono::seconds(5);
  stage.script.ending = {.evidence = "not a child"};
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->runs[0].outcome.kind, OutcomeKind::kCompleted);
  EXPECT_EQ(done->runs[0].outcome.detail,
            "observed for 5.00 s until it ended; only its parent gets its exit "
            "code");
}

TEST(ObserveService, KeepsWhatWasSeenUntilTheUserStops) {
  ObserveStage stage;
  stage.request.duration.reset();
  int waits = 0;
  stage.script.on_wait = [&] {
    if (++waits == 20) stage.stop.request_stop();
  };
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->runs[0].outcome.kind, OutcomeKind::kInterrupted);
  EXPECT_THAT(done->runs[0].outcome.detail,
              testing::HasSubstr("it is still running"));
}

TEST(ObserveService, FailsWhenThereIsNothingToObserve) {
  ObserveStage stage;
  stage.failure = NotFound("no process has the PID 7");
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(stage.runs.ListRuns({})->empty());
}

}  // namespace
}  // namespace mete
