#include "jobs/run_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "jobs/job_pace.h"
#include "jobs/submit_job.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// One job on fakes.
class RunJobTest : public testing::Test {
 protected:
  void SetUp() override {
    platform.clock.StandStillInSleep();
    platform.script = [this](const LaunchRequest&) { return script; };
    ASSERT_TRUE(run_store.SaveDevice(context.device).ok());
  }

  std::string Submit(uint64_t repeat) {
    JobRequest request{
        .work = {.application = {.command = {"./app"}, .repeat = repeat}},
        .device_id = "d1",
        .entropy = {.low = ++drawn}};
    if (!image.empty()) {
      request.work.application.container = ContainerSettings{.image = image};
    }
    return SubmitJob(request, jobs, platform.clock)->id;
  }
  Job Claim() {
    auto job = jobs.ClaimJob({.device_id = "d1",
                              .worker = context.worker,
                              .now = platform.clock.Wall()});
    EXPECT_TRUE(job.ok() && *job);
    return **job;
  }
  std::mutex starting;
  Result<Job> Try(const Job& job) {
    ApplicationDependencies the_platform = platform.Get();
    return RunJob(job, context,
                  {.jobs = jobs,
                   .runs = runs,
                   .platform = the_platform,
                   .starting = starting},
                  {}, stop.get_token());
  }
  Job Run(const Job& job) {
    auto ended = Try(job);
    EXPECT_TRUE(ended.ok()) << ended.error().message();
    return ended.ok() ? *ended : Job{};
  }
  // Does something at the n-th poll of the launcher, counted over all runs.
  void AtWait(int n, std::function<void()> act) {
    script.on_wait = [this, n, act] {
      if (++waits == n) act();
    };
  }

  FakeDependencies platform;
  ApplicationScript script;
  MemoryJobStore jobs;
  MemoryRunStore run_store;
  JobRuns runs{run_store};
  std::stop_source stop;
  std::string image;
  uint64_t drawn = 0;
  int waits = 0;
  ScratchFolder scratch = *ScratchFolder::Create();
  JobContext context{.device = {.id = "d1", .name = "box"},
                     .mete_version = "1",
                     .worker = "w1",
                     .folder = scratch.path()};
};

TEST_F(RunJobTest, MakesAndStoresEveryRun) {
  Submit(3);
  script.output = "hello\n";
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(job.error, "");
  EXPECT_EQ(job.ended, platform.clock.Wall());
  ASSERT_THAT(job.run_ids, SizeIs(3));
  for (const std::string& id : job.run_ids) {
    EXPECT_EQ(run_store.FindRun(id)->outcome.kind, OutcomeKind::kCompleted);
  }
  EXPECT_EQ(job.folder, (scratch.path() / job.id).string());
  EXPECT_EQ(*ReadFile(scratch.path() / job.id / "3" / "app.log"), "hello\n");
}

TEST_F(RunJobTest, OnlyCommandsRunAsTheUserOfTheWorker) {
  context.user = ProcessUser{.id = 1234, .name = "jobs"};
  std::vector<std::optional<ProcessUser>> users;
  platform.script = [&](const LaunchRequest& launch) {
    users.push_back(launch.user);
    return script;
  };
  Submit(1);
  Run(Claim());
  image = "app";
  Submit(1);
  Run(Claim());
  ASSERT_THAT(users, SizeIs(2));
  ASSERT_TRUE(users[0].has_value());
  EXPECT_EQ(users[0]->id, 1234u);
  EXPECT_FALSE(users[1].has_value());
}

TEST_F(RunJobTest, ListsTheRunsSoFarWhileItRuns) {
  std::string id = Submit(2);
  std::vector<size_t> seen;
  platform.script = [&](const LaunchRequest&) {
    seen.push_back(jobs.FindJob(id)->run_ids.size());
    return script;
  };
  Run(Claim());
  EXPECT_THAT(seen, ElementsAre(0, 1));
}

TEST_F(RunJobTest, FailsWithOneLineForAMissingProgram) {
  Submit(3);
  script.start_failure = NotFound("start ./app: no such file or directory");
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error, "start ./app: no such file or directory");
  EXPECT_TRUE(job.run_ids.empty());
}

TEST_F(RunJobTest, FailsWithOneLineForAMissingImage) {
  image = "missing";
  Submit(1);
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error, "image missing: not found");
}

TEST_F(RunJobTest, FailsWhenTheWorkIsCorrupt) {
  ASSERT_TRUE(jobs.SubmitJob({.id = "j1", .device_id = "d1"}).ok());
  EXPECT_EQ(Run(Claim()).state, JobState::kFailed);
}

TEST_F(RunJobTest, FailsWhenARunCannotBeStored) {
  context.device.id = "unknown";
  Submit(1);
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_THAT(job.error, testing::StartsWith("the run is not stored"));
}

TEST_F(RunJobTest, DoesNotRepeatARunWithARejectedLimit) {
  Submit(3);
  script.start_failure = Unsupported("memory limit: refused");
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kCompleted);
  ASSERT_THAT(job.run_ids, SizeIs(1));
  EXPECT_EQ(run_store.FindRun(job.run_ids[0])->outcome.kind,
            OutcomeKind::kRejected);
}

TEST_F(RunJobTest, CancelsTheCurrentRunToo) {
  std::string id = Submit(5);
  script.length.reset();
  AtWait(3, [&] { EXPECT_TRUE(jobs.CancelJob(id, {}).ok()); });
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kCancelled);
  ASSERT_THAT(job.run_ids, SizeIs(1));
  EXPECT_EQ(run_store.FindRun(job.run_ids[0])->outcome.kind,
            OutcomeKind::kInterrupted);
}

TEST_F(RunJobTest, SoonKillsAnApplicationThatIgnoresSigterm) {
  std::string id = Submit(1);
  script.length.reset();
  script.heeds_terminate = false;
  std::chrono::nanoseconds last_look{};
  script.on_wait = [&] {
    // The previous poll was the last one that saw the application running.
    if (++waits == 1) {
      stop.request_stop();
    } else {
      last_look = platform.clock.Now();
    }
  };
  Run(Claim());
  EXPECT_EQ(platform.launcher.log().killed, 1);
  EXPECT_EQ(Seconds(platform.clock.Now() - last_look), kCancelGrace);
}

TEST_F(RunJobTest, IsInterruptedWhenItsWorkerStops) {
  Submit(5);
  AtWait(12, [&] { stop.request_stop(); });
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kInterrupted);
  ASSERT_THAT(job.run_ids, SizeIs(2));
  EXPECT_EQ(run_store.FindRun(job.run_ids[0])->outcome.kind,
            OutcomeKind::kCompleted);
  EXPECT_EQ(run_store.FindRun(job.run_ids[1])->outcome.kind,
            OutcomeKind::kInterrupted);
}

TEST_F(RunJobTest, ResumesAfterTheRunsItHas) {
  std::string id = Submit(5);
  AtWait(32, [&] { stop.request_stop(); });
  Job interrupted = Run(Claim());
  // three complete, one interrupted
  ASSERT_THAT(interrupted.run_ids, SizeIs(4));
  stop = std::stop_source();
  ASSERT_TRUE(jobs.ResumeJob(id).ok());
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_THAT(job.run_ids, SizeIs(6));
  EXPECT_EQ(platform.launcher.log().starts.size(), 6u);
  EXPECT_EQ(*runs.CountMade(job.run_ids), 5u);
}

TEST_F(RunJobTest, ResumesInTheFolderItHas) {
  std::string id = Submit(2);
  AtWait(12, [&] { stop.request_stop(); });
  Job interrupted = Run(Claim());
  ASSERT_EQ(interrupted.folder, (scratch.path() / id).string());
  stop = std::stop_source();
  ASSERT_TRUE(jobs.ResumeJob(id).ok());
  context.folder = scratch.path() / "elsewhere";
  EXPECT_EQ(Run(Claim()).folder, interrupted.folder);
  EXPECT_FALSE(std::filesystem::exists(context.folder));
}

TEST_F(RunJobTest, RunsNothingAgainWhenTheStoreCannotBeRead) {
  std::string id = Submit(2);
  AtWait(12, [&] { stop.request_stop(); });
  Run(Claim());
  const size_t before = platform.launcher.log().starts.size();
  stop = std::stop_source();
  ASSERT_TRUE(jobs.ResumeJob(id).ok());
  run_store.find_failure = Unavailable("the disk is gone");
  Job job = Run(Claim());
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error, "the disk is gone");
  EXPECT_EQ(platform.launcher.log().starts.size(), before);
}

TEST_F(RunJobTest, KeepsTheFilesOfAKilledWorkersRun) {
  std::string id = Submit(1);
  Job job = Claim();
  std::filesystem::create_directories(scratch.path() / id / "1");
  ASSERT_TRUE(
      WriteFileAtomically(scratch.path() / id / "1" / "app.log", "lost").ok());
  Run(job);
  EXPECT_EQ(*ReadFile(scratch.path() / id / "1" / "app.log"), "lost");
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / id / "2" / "app.log"));
}

TEST_F(RunJobTest, EndsWhenAnotherWorkerTookTheJob) {
  Submit(5);
  script.length.reset();
  AtWait(3, [&] {
    EXPECT_EQ(*jobs.InterruptStaleJobs("d1", Job::Time::max()), 1u);
  });
  Job job = Claim();
  auto ended = Try(job);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(jobs.FindJob(job.id)->state, JobState::kInterrupted);
}

TEST_F(RunJobTest, SendsHeartbeatsWhileItRuns) {
  std::string id = Submit(1);
  const Job::Time claimed = platform.clock.Wall();
  script.length.reset();
  script.on_wait = [&] {
    if (*jobs.FindJob(id)->heartbeat > claimed) stop.request_stop();
  };
  Job job = Run(Claim());
  EXPECT_GE(*job.heartbeat - claimed, kHeartbeat);
}

TEST_F(RunJobTest, CountsNeitherRemovedNorInterruptedRuns) {
  mete::Run made{.id = "r1", .device_id = "d1"};
  mete::Run interrupted{.id = "r2", .device_id = "d1"};
  interrupted.outcome.kind = OutcomeKind::kInterrupted;
  ASSERT_TRUE(runs.Save(made).ok());
  ASSERT_TRUE(runs.Save(interrupted).ok());
  EXPECT_EQ(*runs.CountMade({"r1", "r2", "removed"}), 1u);
}

TEST_F(RunJobTest, NumbersItsRunsInProgressLinesWhenThereAreSeveral) {
  std::vector<std::string> lines;
  auto run = [&](uint64_t repeat) {
    lines.clear();
    Submit(repeat);
    ApplicationDependencies the_platform = platform.Get();
    EXPECT_TRUE(RunJob(Claim(), context,
                       {.jobs = jobs,
                        .runs = runs,
                        .platform = the_platform,
                        .starting = starting},
                       {.progress = [&](const auto& l) { lines.push_back(l); }},
                       {})
                    .ok());
  };
  run(1);
  EXPECT_THAT(lines,
              testing::Not(testing::Contains(testing::HasSubstr(" of "))));
  run(2);
  EXPECT_THAT(lines, testing::Contains(testing::StartsWith("app, 1 of 2: ")));
  EXPECT_THAT(lines, testing::Contains(testing::StartsWith("app, 2 of 2: ")));
}

TEST_F(RunJobTest, RunsOnWhileTheStoreIsUnavailableForAMoment) {
  std::string id = Submit(1);
  std::atomic<bool> running = false;
  std::atomic<int> failures = 0;
  jobs.fail = [&](std::string_view call) {
    const bool fails = call == "UpdateJob" && running && failures < 3;
    if (!fails) return Status();
    ++failures;
    return Status(Unavailable("locked"));
  };
  // The application ends after the watch has met the failures.
  script.on_wait = [&] {
    running = true;
    while (failures < 3) std::this_thread::yield();
  };
  EXPECT_EQ(Run(Claim()).state, JobState::kCompleted);
}

TEST_F(RunJobTest, RunsNothingWhenItsFolderCannotBeStored) {
  Submit(1);
  Job job = Claim();
  jobs.fail = [](std::string_view) { return Unavailable("locked"); };
  EXPECT_EQ(Try(job).error().message(), "locked");
  EXPECT_TRUE(platform.launcher.log().starts.empty());
}

}  // namespace
}  // namespace mete
