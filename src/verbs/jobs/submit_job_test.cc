#include "jobs/submit_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_job_store.h"

namespace mete {
namespace {

JobRequest ExampleRequest() {
  return {.work = {.application = {.command = {"bin/app", "-x"}, .repeat = 3}},
          .device_id = "d1",
          .entropy = {.low = 7}};
}

TEST(SubmitJob, QueuesAJobNamedAfterItsApplication) {
  FakeClock clock;
  MemoryJobStore store;
  Job job = SubmitJob(ExampleRequest(), store, clock).value();
  Job kept = store.FindJob(job.id).value();
  EXPECT_EQ(kept.name, "app");
  EXPECT_EQ(kept.state, JobState::kQueued);
  EXPECT_EQ(kept.device_id, "d1");
  EXPECT_EQ(kept.submitted, clock.Wall());
  EXPECT_EQ(job.id.size(), 26u);
}

TEST(SubmitJob, StoresWorkThatCanBeReadBack) {
  FakeClock clock;
  MemoryJobStore store;
  JobRequest request = ExampleRequest();
  request.name = "nightly";
  request.work.allow_privileged = true;
  Job job = SubmitJob(request, store, clock).value();
  EXPECT_EQ(job.name, "nightly");
  JobWork work = JobWorkFromJson(job.work).value();
  EXPECT_EQ(work.application.command, request.work.application.command);
  EXPECT_EQ(work.application.repeat, 3u);
  EXPECT_TRUE(work.allow_privileged);
}

TEST(SubmitJob, RefusesInvalidWork) {
  FakeClock clock;
  MemoryJobStore store;
  JobRequest request = ExampleRequest();
  request.work.application.dataset = "/nowhere/data";
  auto job = SubmitJob(request, store, clock);
  ASSERT_FALSE(job.ok());
  EXPECT_EQ(job.error().message(),
            "dataset /nowhere/data: no such file or folder");
  EXPECT_TRUE(store.ListJobs({})->empty());
}

TEST(JobWork, JsonOfAnotherShapeIsCorrupt) {
  EXPECT_EQ(JobWorkFromJson(Json::object()).error().code(),
            ErrorCode::kCorrupt);
  EXPECT_EQ(JobWorkFromJson(Json("text")).error().code(), ErrorCode::kCorrupt);
  Json json = {{"application", {{"command", 5}}}};
  EXPECT_EQ(JobWorkFromJson(json).error().code(), ErrorCode::kCorrupt);
}

TEST(SubmitJob, FailsWhenTheJobCannotBeStored) {
  FakeClock clock;
  MemoryJobStore store;
  ASSERT_TRUE(SubmitJob(ExampleRequest(), store, clock).ok());
  auto again = SubmitJob(ExampleRequest(), store, clock);  // the same id
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kInvalidInput);
}

TEST(JobWork, IsPrivilegedOnlyWhenItSaysSo) {
  Json json = JobWorkToJson({.application = {.command = {"a"}}});
  EXPECT_FALSE(JobWorkFromJson(json)->allow_privileged);
  json["allow_privileged"] = false;
  EXPECT_FALSE(JobWorkFromJson(json)->allow_privileged);
  json["allow_privileged"] = true;
  EXPECT_TRUE(JobWorkFromJson(json)->allow_privileged);
}

}  // namespace
}  // namespace mete
