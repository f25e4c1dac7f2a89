#include "jobs/queue.h"

#include <gtest/gtest.h>

#include "jobs/job_pace.h"
#include "jobs/submit_job.h"
#include "jobs/work_off.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

// The queue of a fake device.
struct QueueStage {
  FakeDependencies platform;
  MemoryJobStore jobs;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  uint64_t drawn = 0;

  Queue Open() {
    return OpenQueue(jobs, platform.host, platform.clock).value();
  }
  std::string Submit() {
    return SubmitJob({.work = {.application = {.command = {"./app"}}},
                      .device_id = platform.host.device_id,
                      .entropy = {.low = ++drawn}},
                     jobs, platform.clock)
        ->id;
  }
  Result<std::vector<Job>> Work() {
    return WorkOff(
        {.until_empty = true, .mete_version = "1"},
        {.ports = {.jobs = jobs, .runs = runs, .platform = platform.Get()},
         .runs_folder = scratch.path()},
        {}, {});
  }
};

TEST(OpenQueue, MarksTheJobsOfADeadWorker) {
  QueueStage stage;
  std::string id = stage.Submit();
  ASSERT_TRUE(stage.jobs
                  .ClaimJob({.device_id = stage.platform.host.device_id,
                             .worker = "gone",
                             .now = stage.platform.clock.Wall()})
                  .ok());
  stage.platform.clock.Advance(std::chrono::hours(1));
  stage.Open();
  EXPECT_EQ(stage.jobs.FindJob(id)->state, JobState::kInterrupted);
}

TEST(AwaitEnd, ReturnsAfterTheMaximumTime) {
  QueueStage stage;
  std::string id = stage.Submit();
  Queue queue = stage.Open();
  auto before = stage.platform.clock.Now();
  auto job = AwaitEnd(queue, id, Seconds(3), {});
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->state, JobState::kQueued);
  EXPECT_NEAR(Seconds(stage.platform.clock.Now() - before).count(), 3, 0.5);
}

TEST(AwaitEnd, StopEndsTheWaitButNotTheJob) {
  QueueStage stage;
  std::string id = stage.Submit();
  std::stop_source stop;
  stop.request_stop();
  auto job = AwaitEnd(stage.Open(), id, Seconds(3), stop.get_token());
  ASSERT_FALSE(job.ok());
  EXPECT_EQ(job.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(stage.jobs.FindJob(id)->state, JobState::kQueued);
}

TEST(CancelJob, AcceptsAnIdPrefix) {
  QueueStage stage;
  std::string id = stage.Submit();
  auto job =
      CancelJob(stage.jobs, id.substr(0, id.size() - 1), stage.platform.clock);
  ASSERT_TRUE(job.ok()) << job.error().message();
  EXPECT_EQ(job->state, JobState::kCancelled);
  EXPECT_EQ(ResumeJob(stage.jobs, id)->state, JobState::kQueued);
}

TEST(WorkOff, RunsTheQueueOfThisDeviceAndStoresTheRuns) {
  QueueStage stage;
  stage.platform.clock.StandStillInSleep();
  std::string id = stage.Submit();
  auto ended = stage.Work();
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  ASSERT_EQ(ended->size(), 1u);
  Job job = stage.jobs.FindJob(id).value();
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(FindJobRuns(job, stage.runs)->size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(stage.scratch.path() / id / "1/app.log"));
  EXPECT_EQ(stage.runs.ListDevices()->front().name, "fake");
}

TEST(OpenQueue, FailsWhenTheStoreDoes) {
  QueueStage stage;
  stage.jobs.fail = [](std::string_view) { return Unavailable("locked"); };
  EXPECT_FALSE(
      OpenQueue(stage.jobs, stage.platform.host, stage.platform.clock).ok());
}

TEST(AwaitEnd, ReturnsAnEndedJobAtOnce) {
  QueueStage stage;
  std::string id = stage.Submit();
  Queue queue = stage.Open();
  ASSERT_TRUE(CancelJob(stage.jobs, id, stage.platform.clock).ok());
  auto before = stage.platform.clock.Now();
  EXPECT_EQ(AwaitEnd(queue, id, Seconds(3), {})->state, JobState::kCancelled);
  EXPECT_EQ(stage.platform.clock.Now(), before);
}

TEST(AwaitEnd, WithoutTimeReturnsTheStateAtOnce) {
  QueueStage stage;
  std::string id = stage.Submit();
  std::stop_source stop;
  stop.request_stop();  // would interrupt a wait
  EXPECT_TRUE(AwaitEnd(stage.Open(), id, Seconds(0), stop.get_token()).ok());
}

TEST(AwaitEnd, MarksTheJobOfAWorkerThatDies) {
  QueueStage stage;
  std::string id = stage.Submit();
  Queue queue = stage.Open();
  ASSERT_TRUE(stage.jobs
                  .ClaimJob({.device_id = queue.device_id,
                             .worker = "gone",
                             .now = stage.platform.clock.Wall()})
                  .ok());
  EXPECT_EQ(AwaitEnd(queue, id, Seconds(60), {})->state,
            JobState::kInterrupted);
}

TEST(AwaitEnd, FailsWhenTheStoreDoes) {
  QueueStage stage;
  std::string id = stage.Submit();
  Queue queue = stage.Open();
  stage.jobs.fail = [](std::string_view) { return Unavailable("locked"); };
  EXPECT_EQ(AwaitEnd(queue, id, Seconds(3), {}).error().message(), "locked");
}

TEST(TendQueue, MarksTheJobsOfADeadWorkerAndEndsWhenStopped) {
  QueueStage stage;
  std::string id = stage.Submit();
  Queue queue = stage.Open();
  ASSERT_TRUE(stage.jobs
                  .ClaimJob({.device_id = queue.device_id,
                             .worker = "gone",
                             .now = stage.platform.clock.Wall()})
                  .ok());
  std::stop_source stop;
  stage.jobs.fail = [&, looks = 0](std::string_view) mutable {
    if (++looks == 8) stop.request_stop();
    return Status();
  };
  TendQueue(queue, stop.get_token());
  EXPECT_EQ(stage.jobs.FindJob(id)->state, JobState::kInterrupted);
  // One look a second, so that a silence of more than five is a suspend.
  EXPECT_EQ(Seconds(stage.platform.clock.Now()), Seconds(8));
}

TEST(FindJobRuns, FailsWhenARunWasRemoved) {
  QueueStage stage;
  EXPECT_EQ(FindJobRuns({.run_ids = {"r1"}}, stage.runs).error().code(),
            ErrorCode::kNotFound);
}

TEST(AwaitEnd, CountsItsTimeFromItsStart) {
  QueueStage stage;
  std::string id = stage.Submit();
  Queue queue = stage.Open();
  stage.platform.clock.Advance(std::chrono::seconds(100));
  auto before = stage.platform.clock.Now();
  ASSERT_TRUE(AwaitEnd(queue, id, Seconds(3), {}).ok());
  EXPECT_NEAR(Seconds(stage.platform.clock.Now() - before).count(), 3, 0.5);
}

}  // namespace
}  // namespace mete
