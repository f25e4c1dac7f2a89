// The tests that every JobStore must pass: the fake and each adapter.
//
//   struct MemoryJobStoreMaker {
//     std::unique_ptr<JobStore> Make() {…}
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, JobStoreContract,
//                                  MemoryJobStoreMaker);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "ports/job_store.h"

namespace mete {

inline Job::Time JobTime(int64_t seconds) {
  return Job::Time(std::chrono::seconds(1700000000 + seconds));
}

// Makes a queued job for the device "d1".
inline Job ExampleJob(const std::string& id) {
  return {.id = id,
          .name = "nightly",
          .work = {{"application", {{"command", {"./app", "ü"}}}}},
          .device_id = "d1",
          .submitted = JobTime(0)};
}

inline std::vector<std::string> IdsOfJobs(const std::vector<Job>& jobs) {
  std::vector<std::string> ids;
  for (const Job& job : jobs) ids.push_back(job.id);
  return ids;
}

template <typename Maker>
class JobStoreContract : public testing::Test {
 protected:
  void SetUp() override {
    store = maker.Make();
    ASSERT_NE(store, nullptr);
  }

  void Submit(const std::string& id) {
    Status submitted = store->SubmitJob(ExampleJob(id));
    ASSERT_TRUE(submitted.ok()) << submitted.error().message();
  }
  // Returns the id of the job that the worker claimed; "" for none.
  std::string Claim(const std::string& worker, size_t parallel = 1) {
    auto job = store->ClaimJob({.device_id = "d1",
                                .worker = worker,
                                .parallel = parallel,
                                .now = JobTime(10)});
    EXPECT_TRUE(job.ok()) << job.error().message();
    return job.ok() && *job ? (*job)->id : "";
  }
  void End(const std::string& id, JobState state) {
    auto ended =
        store->UpdateJob(id, "w1", {.state = state, .ended = JobTime(20)});
    ASSERT_TRUE(ended.ok()) << ended.error().message();
  }
  JobState GetState(const std::string& id) { return store->FindJob(id)->state; }

  Maker maker;
  std::unique_ptr<JobStore> store;
};
TYPED_TEST_SUITE_P(JobStoreContract);

TYPED_TEST_P(JobStoreContract, ReturnsTheSavedJob) {
  Job job = ExampleJob("j1");
  job.state = JobState::kFailed;
  job.started = JobTime(1) + std::chrono::microseconds(250);
  job.ended = JobTime(2);
  job.run_ids = {"r1", "r2"};
  job.folder = "/runs/j1";
  job.error = "start ./app: no such file or directory";
  job.worker = "w1";
  job.heartbeat = JobTime(2);
  job.cancel_requested = true;
  ASSERT_TRUE(this->store->SubmitJob(job).ok());
  auto found = this->store->FindJob("j1");
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(JobToJson(*found), JobToJson(job));
  EXPECT_EQ(found->started, job.started);
}

TYPED_TEST_P(JobStoreContract, KeepsAbsentValuesAbsent) {
  this->Submit("j1");
  Job job = *this->store->FindJob("j1");
  EXPECT_EQ(job.state, JobState::kQueued);
  EXPECT_EQ(job.submitted, JobTime(0));
  EXPECT_EQ(job.started, std::nullopt);
  EXPECT_EQ(job.ended, std::nullopt);
  EXPECT_EQ(job.heartbeat, std::nullopt);
  EXPECT_TRUE(job.run_ids.empty());
  EXPECT_FALSE(job.cancel_requested);
}

TYPED_TEST_P(JobStoreContract, RejectsAnIdThatIsTakenOrMissing) {
  this->Submit("j1");
  EXPECT_EQ(this->store->SubmitJob(ExampleJob("j1")).error().code(),
            ErrorCode::kInvalidInput);
  EXPECT_EQ(this->store->SubmitJob(ExampleJob("")).error().code(),
            ErrorCode::kInvalidInput);
}

TYPED_TEST_P(JobStoreContract, FindsAJobByAPrefixOfItsId) {
  this->Submit("2024-aa");
  this->Submit("2024-ab");
  this->Submit("2025-x");
  EXPECT_EQ(this->store->FindJob("2025")->id, "2025-x");
  auto several = this->store->FindJob("2024");
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(several.error().message(),
              testing::HasSubstr("2024-aa, 2024-ab"));
  auto none = this->store->FindJob("2026");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message(),
            "no job has the ID '2026'; list them with mete jobs list");
  EXPECT_EQ(this->store->FindJob("").error().code(), ErrorCode::kInvalidInput);
}

TYPED_TEST_P(JobStoreContract, ListsTheMatchingJobsOldestFirst) {
  for (const char* id : {"j3", "j1", "j2"}) this->Submit(id);
  Job other = ExampleJob("j4");
  other.device_id = "d2";
  ASSERT_TRUE(this->store->SubmitJob(other).ok());
  ASSERT_EQ(this->Claim("w1"), "j1");
  auto ids = [this](const JobFilter& filter) {
    return IdsOfJobs(*this->store->ListJobs(filter));
  };
  using testing::ElementsAre;
  EXPECT_THAT(ids({}), ElementsAre("j1", "j2", "j3", "j4"));
  EXPECT_THAT(ids({.last = 2}), ElementsAre("j3", "j4"));
  EXPECT_THAT(ids({.last = 9}), ElementsAre("j1", "j2", "j3", "j4"));
  EXPECT_THAT(ids({.state = JobState::kQueued, .device_id = "d1"}),
              ElementsAre("j2", "j3"));
  EXPECT_THAT(ids({.state = JobState::kRunning}), ElementsAre("j1"));
  EXPECT_THAT(ids({.device_id = "d2"}), ElementsAre("j4"));
  EXPECT_THAT(ids({.before = "j4", .last = 2}), ElementsAre("j2", "j3"));
  EXPECT_THAT(ids({.state = JobState::kQueued, .before = "j2"}), ElementsAre());
}

TYPED_TEST_P(JobStoreContract, ClaimsTheOldestQueuedJobOfTheDevice) {
  this->Submit("j2");
  this->Submit("j1");
  Job other = ExampleJob("j0");
  other.device_id = "d2";
  ASSERT_TRUE(this->store->SubmitJob(other).ok());
  EXPECT_EQ(this->Claim("w1"), "j1");
  Job job = *this->store->FindJob("j1");
  EXPECT_EQ(job.state, JobState::kRunning);
  EXPECT_EQ(job.worker, "w1");
  EXPECT_EQ(job.started, JobTime(10));
  EXPECT_EQ(job.heartbeat, JobTime(10));
}

TYPED_TEST_P(JobStoreContract, ClaimsNothingFromAnEmptyQueue) {
  EXPECT_EQ(this->Claim("w1"), "");
}

TYPED_TEST_P(JobStoreContract, ClaimsNoMoreJobsThanMayRunInParallel) {
  for (const char* id : {"j1", "j2", "j3"}) this->Submit(id);
  EXPECT_EQ(this->Claim("w1", 2), "j1");
  EXPECT_EQ(this->Claim("w2", 1), "");
  EXPECT_EQ(this->Claim("w2", 2), "j2");
  EXPECT_EQ(this->Claim("w3", 2), "");
  this->End("j1", JobState::kCompleted);
  EXPECT_EQ(this->Claim("w3", 2), "j3");
}

TYPED_TEST_P(JobStoreContract, EveryJobIsClaimedByOneOfManyWorkers) {
  constexpr int kJobs = 40;
  for (int i = 0; i < kJobs; ++i) this->Submit("j" + std::to_string(100 + i));
  std::vector<std::vector<std::string>> got(4);
  {
    std::vector<std::jthread> workers;  // joined here
    for (size_t w = 0; w < got.size(); ++w) {
      workers.emplace_back([&, w] {
        std::string id;
        while (!(id = this->Claim("w" + std::to_string(w), kJobs)).empty()) {
          got[w].push_back(id);
        }
      });
    }
  }
  std::set<std::string> different;
  size_t all = 0;
  for (const auto& ids : got) {
    different.insert(ids.begin(), ids.end());
    all += ids.size();
  }
  EXPECT_EQ(all, size_t{kJobs});
  EXPECT_EQ(different.size(), size_t{kJobs});
}

TYPED_TEST_P(JobStoreContract, UpdatesOnlyTheGivenFields) {
  this->Submit("j1");
  this->Claim("w1");
  ASSERT_TRUE(this->store
                  ->UpdateJob("j1", "w1",
                              {.run_ids = std::vector<std::string>{"r1"},
                               .folder = "/runs/j1"})
                  .ok());
  ASSERT_TRUE(
      this->store->UpdateJob("j1", "w1", {.heartbeat = JobTime(11)}).ok());
  Job job = *this->store->FindJob("j1");
  EXPECT_THAT(job.run_ids, testing::ElementsAre("r1"));
  EXPECT_EQ(job.folder, "/runs/j1");
  EXPECT_EQ(job.heartbeat, JobTime(11));
  EXPECT_EQ(job.state, JobState::kRunning);
  ASSERT_TRUE(this->store
                  ->UpdateJob("j1", "w1",
                              {.state = JobState::kFailed,
                               .error = "no engine",
                               .ended = JobTime(12)})
                  .ok());
  job = *this->store->FindJob("j1");
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error, "no engine");
  EXPECT_EQ(job.ended, JobTime(12));
  EXPECT_THAT(job.run_ids, testing::ElementsAre("r1"));
}

TYPED_TEST_P(JobStoreContract, OnlyTheWorkerOfARunningJobCanUpdateIt) {
  this->Submit("j1");
  auto code = [this](const std::string& worker, const JobUpdate& update) {
    auto done = this->store->UpdateJob("j1", worker, update);
    EXPECT_FALSE(done.ok());
    return done.error().code();
  };
  EXPECT_EQ(code("", {}), ErrorCode::kNotFound);
  this->Claim("w1");
  EXPECT_EQ(code("w2", {}), ErrorCode::kNotFound);
  EXPECT_EQ(code("w2", {.error = "mine"}), ErrorCode::kNotFound);
  this->End("j1", JobState::kInterrupted);
  EXPECT_EQ(code("w1", {}), ErrorCode::kNotFound);
  EXPECT_EQ(code("w1", {.error = "late"}), ErrorCode::kNotFound);
  EXPECT_EQ(this->store->FindJob("j1")->error, "");
  EXPECT_EQ(this->store->UpdateJob("j9", "w1", {}).error().code(),
            ErrorCode::kNotFound);
}

TYPED_TEST_P(JobStoreContract, CancelsAQueuedJobAtOnce) {
  this->Submit("j1");
  auto cancelled = this->store->CancelJob("j1", JobTime(5));
  ASSERT_TRUE(cancelled.ok());
  EXPECT_EQ(cancelled->state, JobState::kCancelled);
  EXPECT_EQ(cancelled->ended, JobTime(5));
  EXPECT_EQ(this->GetState("j1"), JobState::kCancelled);
  EXPECT_EQ(this->Claim("w1"), "");
}

TYPED_TEST_P(JobStoreContract, LeavesTheCancellingOfARunningJobToItsWorker) {
  this->Submit("j1");
  this->Claim("w1");
  EXPECT_FALSE(*this->store->UpdateJob("j1", "w1", {}));
  auto asked = this->store->CancelJob("j1", JobTime(5));
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked->state, JobState::kRunning);
  EXPECT_TRUE(asked->cancel_requested);
  EXPECT_TRUE(*this->store->UpdateJob("j1", "w1", {}));
  EXPECT_TRUE(*this->store->UpdateJob("j1", "w1", {.heartbeat = JobTime(11)}));
  this->End("j1", JobState::kCancelled);
  EXPECT_EQ(this->GetState("j1"), JobState::kCancelled);
}

TYPED_TEST_P(JobStoreContract, RejectsCancellingAnEndedJob) {
  this->Submit("j1");
  this->Claim("w1");
  this->End("j1", JobState::kCompleted);
  EXPECT_EQ(this->store->CancelJob("j1", JobTime(5)).error().code(),
            ErrorCode::kInvalidInput);
  EXPECT_EQ(this->store->CancelJob("j9", JobTime(5)).error().code(),
            ErrorCode::kNotFound);
  this->Submit("j2");
  this->Claim("w1");
  this->End("j2", JobState::kInterrupted);
  EXPECT_EQ(this->store->CancelJob("j2", JobTime(5))->state,
            JobState::kCancelled);
}

TYPED_TEST_P(JobStoreContract, QueuesAResumedJobAgainWithItsRuns) {
  this->Submit("j1");
  this->Claim("w1");
  ASSERT_TRUE(this->store->CancelJob("j1", JobTime(11)).ok());
  ASSERT_TRUE(this->store
                  ->UpdateJob("j1", "w1",
                              {.state = JobState::kCancelled,
                               .run_ids = std::vector<std::string>{"r1"},
                               .folder = "/runs/j1",
                               .error = "x",
                               .ended = JobTime(12)})
                  .ok());
  auto resumed = this->store->ResumeJob("j1");
  ASSERT_TRUE(resumed.ok()) << resumed.error().message();
  EXPECT_EQ(resumed->state, JobState::kQueued);
  EXPECT_FALSE(resumed->cancel_requested);
  EXPECT_EQ(resumed->error, "");
  EXPECT_EQ(resumed->ended, std::nullopt);
  EXPECT_EQ(resumed->heartbeat, std::nullopt);
  EXPECT_THAT(resumed->run_ids, testing::ElementsAre("r1"));
  EXPECT_EQ(this->Claim("w2"), "j1");
  EXPECT_FALSE(*this->store->UpdateJob("j1", "w2", {}));
}

TYPED_TEST_P(JobStoreContract, ResumesOnlyJobsThatEndedEarly) {
  this->Submit("j1");
  auto code = [this](const std::string& id) {
    return this->store->ResumeJob(id).error().code();
  };
  EXPECT_EQ(code("j1"), ErrorCode::kInvalidInput);
  this->Claim("w1");
  EXPECT_EQ(code("j1"), ErrorCode::kInvalidInput);
  this->End("j1", JobState::kCompleted);
  EXPECT_EQ(code("j1"), ErrorCode::kInvalidInput);
  EXPECT_EQ(code("j9"), ErrorCode::kNotFound);
  for (JobState state : {JobState::kFailed, JobState::kInterrupted}) {
    std::string id = "j-" + std::string(ToString(state));
    this->Submit(id);
    ASSERT_EQ(this->Claim("w1"), id);
    this->End(id, state);
    EXPECT_TRUE(this->store->ResumeJob(id).ok()) << id;
    ASSERT_EQ(this->Claim("w1"), id);
    this->End(id, JobState::kCompleted);
  }
}

TYPED_TEST_P(JobStoreContract, InterruptsJobsOfASilentWorker) {
  for (const char* id : {"j1", "j2", "j3"}) this->Submit(id);
  for (int i = 0; i < 3; ++i) this->Claim("w1", 3);
  ASSERT_TRUE(
      this->store->UpdateJob("j2", "w1", {.heartbeat = JobTime(30)}).ok());
  ASSERT_TRUE(this->store->CancelJob("j3", JobTime(11)).ok());
  EXPECT_EQ(*this->store->InterruptStaleJobs("d1", JobTime(10)), 0u);
  EXPECT_EQ(*this->store->InterruptStaleJobs("d2", JobTime(25)), 0u);
  EXPECT_EQ(*this->store->InterruptStaleJobs("d1", JobTime(25)), 2u);
  EXPECT_EQ(this->GetState("j1"), JobState::kInterrupted);
  EXPECT_EQ(this->store->FindJob("j1")->ended, JobTime(10));
  EXPECT_EQ(this->GetState("j2"), JobState::kRunning);
  EXPECT_EQ(this->GetState("j3"), JobState::kCancelled);
}

TYPED_TEST_P(JobStoreContract, CountsTheRunningWorkers) {
  auto count = [this](int64_t since) {
    return *this->store->CountWorkers("d1", JobTime(since));
  };
  EXPECT_EQ(count(0), 0u);
  ASSERT_TRUE(this->store->SignWorker({"w1", "d1", JobTime(10)}).ok());
  ASSERT_TRUE(this->store->SignWorker({"w1", "d1", JobTime(20)}).ok());
  ASSERT_TRUE(this->store->SignWorker({"w2", "d1", JobTime(15)}).ok());
  ASSERT_TRUE(this->store->SignWorker({"w3", "d2", JobTime(15)}).ok());
  EXPECT_EQ(count(15), 2u);
  EXPECT_EQ(count(16), 1u);
  ASSERT_TRUE(this->store->ForgetWorker("w1").ok());
  ASSERT_TRUE(this->store->ForgetWorker("w1").ok());
  EXPECT_EQ(count(15), 1u);
}

REGISTER_TYPED_TEST_SUITE_P(
    JobStoreContract, ReturnsTheSavedJob, KeepsAbsentValuesAbsent,
    RejectsAnIdThatIsTakenOrMissing, FindsAJobByAPrefixOfItsId,
    ListsTheMatchingJobsOldestFirst, ClaimsTheOldestQueuedJobOfTheDevice,
    ClaimsNothingFromAnEmptyQueue, ClaimsNoMoreJobsThanMayRunInParallel,
    EveryJobIsClaimedByOneOfManyWorkers, UpdatesOnlyTheGivenFields,
    OnlyTheWorkerOfARunningJobCanUpdateIt, CancelsAQueuedJobAtOnce,
    LeavesTheCancellingOfARunningJobToItsWorker, RejectsCancellingAnEndedJob,
    QueuesAResumedJobAgainWithItsRuns, ResumesOnlyJobsThatEndedEarly,
    InterruptsJobsOfASilentWorker, CountsTheRunningWorkers);

}  // namespace mete
