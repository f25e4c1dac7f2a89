#include "jobs/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "jobs/submit_job.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A worker on fakes that ends when the queue is empty.
class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    platform.clock.StandStillInSleep();
    ASSERT_TRUE(runs.SaveDevice(request.device).ok());
  }

  std::string Submit(const std::string& program,
                     const std::string& device = "d1") {
    return SubmitJob({.work = {.application = {.command = {program}}},
                      .device_id = device,
                      .entropy = {.low = ++drawn}},
                     jobs, platform.clock)
        ->id;
  }
  Result<std::vector<Job>> Try() {
    return RunWorker(
        request, {.jobs = jobs, .runs = runs, .platform = platform.Get()},
        {.started = [this](const Job& job) { started.push_back(job.id); },
         .warn = [this](const std::string& t) { warnings.push_back(t); }},
        stop.get_token());
  }
  JobState GetState(const std::string& id) { return jobs.FindJob(id)->state; }

  FakeDependencies platform;
  MemoryJobStore jobs;
  MemoryRunStore runs;
  std::stop_source stop;
  std::vector<std::string> started;
  std::vector<std::string> warnings;
  uint64_t drawn = 0;
  ScratchFolder scratch = *ScratchFolder::Create();
  WorkerRequest request{.device = {.id = "d1", .name = "box"},
                        .mete_version = "1",
                        .name = "box:7",
                        .folder = scratch.path(),
                        .until_empty = true};
};

TEST_F(WorkerTest, RunsTheJobsOfItsDeviceOldestFirst) {
  std::string first = Submit("one");
  std::string second = Submit("two");
  std::string foreign = Submit("three", "d2");
  auto ended = Try();
  ASSERT_TRUE(ended.ok());
  ASSERT_THAT(*ended, SizeIs(2));
  EXPECT_EQ(ended->at(0).id, first);
  EXPECT_EQ(ended->at(1).id, second);
  EXPECT_EQ(ended->at(1).state, JobState::kCompleted);
  EXPECT_EQ(GetState(foreign), JobState::kQueued);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(WorkerTest, EndsAtOnceWhenTheQueueIsEmpty) {
  EXPECT_THAT(*Try(), IsEmpty());
}

TEST_F(WorkerTest, ContinuesAfterAFailedJob) {
  platform.script = [](const LaunchRequest& launch) {
    ApplicationScript script;
    if (launch.command[0] == "gone") script.start_failure = NotFound("gone");
    return script;
  };
  std::string bad = Submit("gone");
  std::string good = Submit("there");
  ASSERT_TRUE(Try().ok());
  EXPECT_EQ(GetState(bad), JobState::kFailed);
  EXPECT_EQ(GetState(good), JobState::kCompleted);
}

TEST_F(WorkerTest, RunsTheAllowedNumberOfJobsConcurrently) {
  // Each job waits until another one runs concurrently.
  request.parallel = 2;
  std::atomic<int> running = 0;
  platform.script = [&](const LaunchRequest&) {
    ++running;
    ApplicationScript script;
    script.on_wait = [&running] {
      while (running < 2) std::this_thread::yield();
    };
    return script;
  };
  Submit("one");
  Submit("two");
  ASSERT_THAT(*Try(), SizeIs(2));
  EXPECT_THAT(started, SizeIs(2));
}

TEST_F(WorkerTest, LeavesTheRestInTheQueueWhenItIsStopped) {
  platform.script = [this](const LaunchRequest&) {
    ApplicationScript script{.length = std::nullopt};
    script.on_wait = [this] { stop.request_stop(); };
    return script;
  };
  std::string first = Submit("one");
  std::string second = Submit("two");
  request.until_empty = false;
  ASSERT_TRUE(Try().ok());
  EXPECT_EQ(GetState(first), JobState::kInterrupted);
  EXPECT_EQ(GetState(second), JobState::kQueued);
}

TEST_F(WorkerTest, IsRegisteredWhileItRuns) {
  bool known = false;
  platform.script = [&](const LaunchRequest&) {
    known = *HasWorker(jobs, "d1", platform.clock);
    return ApplicationScript{};
  };
  Submit("one");
  EXPECT_FALSE(*HasWorker(jobs, "d1", platform.clock));
  ASSERT_TRUE(Try().ok());
  EXPECT_TRUE(known);
  EXPECT_FALSE(*HasWorker(jobs, "d1", platform.clock));
}

TEST_F(WorkerTest, InterruptsTheJobOfADeadWorker) {
  std::string id = Submit("one");
  ASSERT_TRUE(jobs.ClaimJob({.device_id = "d1",
                             .worker = "dead",
                             .now = platform.clock.Wall()})
                  .ok());
  platform.clock.Advance(std::chrono::seconds(6));
  ASSERT_TRUE(Try().ok());
  EXPECT_EQ(GetState(id), JobState::kInterrupted);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("1 job of a dead worker"));
}

TEST_F(WorkerTest, CountsTheJobsOfADeadWorker) {
  request.parallel = 2;
  for (const char* program : {"one", "two"}) {
    Submit(program);
    ASSERT_TRUE(jobs.ClaimJob({.device_id = "d1",
                               .worker = "dead",
                               .parallel = 2,
                               .now = platform.clock.Wall()})
                    .ok());
  }
  platform.clock.Advance(std::chrono::seconds(6));
  ASSERT_TRUE(Try().ok());
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("2 jobs of a dead worker"));
}

TEST_F(WorkerTest, NumbersItsSlotsFromOne) {
  Submit("one");
  EXPECT_EQ(Try()->at(0).worker, "box:7/1");
}

TEST_F(WorkerTest, TriesAgainWhenTheStoreIsUnavailable) {
  Submit("one");
  std::atomic<int> claims = 0;
  jobs.fail = [&](std::string_view call) {
    if (call != "ClaimJob" || ++claims > 2) return Status();
    return Status(Unavailable("locked"));
  };
  EXPECT_THAT(*Try(), SizeIs(1));
  EXPECT_THAT(warnings, testing::ElementsAre("locked", "locked"));
}

TEST_F(WorkerTest, EndsWithAnyOtherErrorOfTheStore) {
  request.until_empty = false;
  request.parallel = 2;
  jobs.fail = [](std::string_view call) {
    return call == "ClaimJob" ? Status(Corrupt("damaged")) : Status();
  };
  EXPECT_EQ(Try().error().message(), "damaged");
}

TEST_F(WorkerTest, WarnsWhenItCannotSignInOrOut) {
  jobs.fail = [](std::string_view call) {
    bool fails = call == "SignWorker" || call == "ForgetWorker";
    return fails ? Status(Unavailable(std::string(call))) : Status();
  };
  ASSERT_TRUE(Try().ok());
  EXPECT_EQ(warnings.front(), "SignWorker");
  EXPECT_EQ(warnings.back(), "ForgetWorker");
}

TEST_F(WorkerTest, WarnsWhenItCannotLookForDeadWorkers) {
  jobs.fail = [](std::string_view call) {
    bool fails = call == "InterruptStaleJobs";
    return fails ? Status(Unavailable("locked")) : Status();
  };
  ASSERT_TRUE(Try().ok());
  EXPECT_EQ(warnings.front(), "locked");
}

TEST_F(WorkerTest, KeepsRunningWhileItCannotSeeWhetherTheQueueIsEmpty) {
  std::atomic<int> looks = 0;
  jobs.fail = [&](std::string_view call) {
    if (call != "ListJobs" || ++looks > 1) return Status();
    return Status(Unavailable("locked"));
  };
  ASSERT_TRUE(Try().ok());
  EXPECT_EQ(looks, 2);
}

TEST_F(WorkerTest, WarnsAboutAJobWhoseEndCannotBeStored) {
  std::string id = Submit("one");
  jobs.fail = [](std::string_view call) {
    return call == "UpdateJob" ? Status(Corrupt("damaged")) : Status();
  };
  EXPECT_THAT(*Try(), IsEmpty());
  EXPECT_THAT(warnings, testing::Contains("job " + id + ": damaged"));
}

TEST_F(WorkerTest, HasNoWorkerOnceItsLastSignIsTooOld) {
  ASSERT_TRUE(
      jobs.SignWorker(
              {.worker = "w", .device_id = "d1", .now = platform.clock.Wall()})
          .ok());
  platform.clock.Advance(std::chrono::seconds(5));
  EXPECT_TRUE(*HasWorker(jobs, "d1", platform.clock));
  platform.clock.Advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(*HasWorker(jobs, "d1", platform.clock));
}

// Fails the test when a second thread enters before the first has left.
class OneThreadOnly {
 public:
  void Enter() {
    EXPECT_EQ(++inside_, 1);
    for (int i = 0; i < 5; ++i) std::this_thread::yield();
    --inside_;
  }

 private:
  std::atomic<int> inside_ = 0;
};

TEST_F(WorkerTest, CallsBackFromOneThreadAtATime) {
  request.parallel = 3;
  for (int job = 0; job < 12; ++job) Submit("one");
  OneThreadOnly here;
  auto ended = RunWorker(
      request, {.jobs = jobs, .runs = runs, .platform = platform.Get()},
      {.started = [&](const Job&) { here.Enter(); },
       .ended = [&](const Job&) { here.Enter(); },
       .progress = [&](const std::string&) { here.Enter(); },
       .warn = [&](const std::string&) { here.Enter(); }},
      {});
  ASSERT_TRUE(ended.ok());
  EXPECT_THAT(*ended, SizeIs(12));
}

}  // namespace
}  // namespace mete
