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

}  // namespace
}  // namespace mete
