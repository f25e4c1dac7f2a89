#include "domain/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

Job::Time JobTime(int64_t seconds) {
  return Job::Time(std::chrono::seconds(1714566600 + seconds));
}

TEST(JobState, HasANameThatCanBeParsed) {
  for (JobState state :
       {JobState::kQueued, JobState::kRunning, JobState::kCompleted,
        JobState::kFailed, JobState::kCancelled, JobState::kInterrupted}) {
    EXPECT_EQ(*ParseJobState(ToString(state)), state);
  }
  EXPECT_THAT(ParseJobState("quued").error().message(),
              HasSubstr("did you mean 'queued'"));
  EXPECT_EQ(ParseJobState("foo").error().message(),
            "'foo' is not a job state; expected queued, running, completed, "
            "failed, cancelled, interrupted");
}

TEST(JobState, IsFinalWhenNothingMoreHappens) {
  EXPECT_FALSE(IsFinal(JobState::kQueued));
  EXPECT_FALSE(IsFinal(JobState::kRunning));
  EXPECT_TRUE(IsFinal(JobState::kCompleted));
  EXPECT_TRUE(IsFinal(JobState::kFailed));
  EXPECT_TRUE(IsFinal(JobState::kCancelled));
  EXPECT_TRUE(IsFinal(JobState::kInterrupted));
}

TEST(JobJson, OmitsWhatIsNotSetYet) {
  Job job{.id = "j1",
          .work = {{"application", {{"command", {"true"}}}}},
          .device_id = "d1",
          .submitted = JobTime(0)};
  EXPECT_EQ(JobToJson(job).dump(),
            R"({"job_id":"j1","state":"queued","device_id":"d1",)"
            R"("submitted_at":"2024-05-01T12:30:00Z","run_ids":[],)"
            R"("work":{"application":{"command":["true"]}}})");
}

TEST(JobJson, RestoresEveryField) {
  Job job{.id = "j1",
          .name = "nightly",
          .work = {{"application", {{"command", {"true"}}}}},
          .device_id = "d1",
          .state = JobState::kFailed,
          .submitted = JobTime(0),
          .started = JobTime(1),
          .ended = JobTime(2),
          .run_ids = {"r1", "r2"},
          .folder = "/runs/j1",
          .error = "start ./app: no such file or directory",
          .worker = "box:7/1",
          .heartbeat = JobTime(2),
          .cancel_requested = true};
  Job read = JobFromJson(JobToJson(job)).value();
  EXPECT_EQ(read.id, job.id);
  EXPECT_EQ(read.name, job.name);
  EXPECT_EQ(read.work, job.work);
  EXPECT_EQ(read.device_id, job.device_id);
  EXPECT_EQ(read.state, job.state);
  EXPECT_EQ(read.submitted, job.submitted);
  EXPECT_EQ(read.started, job.started);
  EXPECT_EQ(read.ended, job.ended);
  EXPECT_EQ(read.run_ids, job.run_ids);
  EXPECT_EQ(read.folder, job.folder);
  EXPECT_EQ(read.error, job.error);
  EXPECT_EQ(read.worker, job.worker);
  EXPECT_EQ(read.heartbeat, job.heartbeat);
  EXPECT_TRUE(read.cancel_requested);
}

TEST(JobJson, AnotherStructureIsCorrupt) {
  Json whole = JobToJson({.id = "j1", .device_id = "d1"});
  for (const char* key : {"job_id", "work", "submitted_at", "run_ids"}) {
    Json json = whole;
    json.erase(key);
    EXPECT_EQ(JobFromJson(json).error().code(), ErrorCode::kCorrupt) << key;
  }
  Json json = whole;
  json["state"] = "asleep";
  EXPECT_EQ(JobFromJson(json).error().code(), ErrorCode::kCorrupt);
  json["state"] = 5;
  EXPECT_EQ(JobFromJson(json).error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
