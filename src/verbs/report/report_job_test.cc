#include "report/report_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/job_work.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A job of two runs whose files of samples have different columns.
class ReportJobTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(store.SaveDevice({.id = "d", .name = "bench-pc"}).ok());
    job.id = "01JOB";
    job.name = "night";
    job.device_id = "d";
    job.state = JobState::kCompleted;
    job.started = Job::Time(std::chrono::seconds(100));
    job.ended = Job::Time(std::chrono::seconds(110));
    job.work = JobWorkToJson(
        {.application = {.command = {"./app", "a,b"}, .repeat = 2}});
    AddRun("1", "time_seconds,cpu_seconds\n0.1,1\n0.2,2\n");
    AddRun("2", "time_seconds,gpu0\n0.1,9\n");
  }

  void AddRun(const std::string& id, const std::string& samples) {
    mete::Run run{
        .id = id,
        .started_at = *job.started,
        .workload = {.kind = WorkloadKind::kCommand, .name = "app"},
        .device_id = "d",
        .device_name = "bench-pc",
        .mete_version = "9.9",
        .details = ApplicationDetails{.duration = Seconds(2), .exit_code = 0}};
    run.application()->samples_file = folder.path() / (id + ".csv");
    ASSERT_TRUE(
        WriteFileAtomically(run.application()->samples_file, samples).ok());
    ASSERT_TRUE(store.SaveRun(run).ok());
    job.run_ids.push_back(id);
  }

  MemoryRunStore store;
  Job job;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(ReportJobTest, TheProfileHasTheShapeOfASession) {
  auto profile = JobProfile(job, store);
  ASSERT_TRUE(profile.ok()) << profile.error().message();
  EXPECT_EQ(profile->at("schema_version"), 1);
  EXPECT_EQ(profile->at("session"), "night");
  EXPECT_EQ(profile->at("seconds"), 10);
  EXPECT_EQ(profile->at("job").at("state"), "completed");
  EXPECT_EQ(profile->at("device").at("name"), "bench-pc");
  EXPECT_EQ(profile->at("mete_version"), "9.9");
  const Json& application = profile->at("applications").at(0);
  EXPECT_EQ(application.at("name"), "app");
  EXPECT_EQ(application.at("runs").size(), 2u);
  EXPECT_EQ(application.at("summary").at("seconds").at("p50"), 2);
  EXPECT_FALSE(application.contains("failure"));
}

TEST_F(ReportJobTest, AQueuedJobHasAnEmptyProfile) {
  job.run_ids.clear();
  job.started.reset();
  job.state = JobState::kQueued;
  auto profile = JobProfile(job, store);
  ASSERT_TRUE(profile.ok()) << profile.error().message();
  EXPECT_FALSE(profile->contains("seconds"));
  EXPECT_FALSE(profile->contains("started_at"));
  EXPECT_TRUE(profile->at("applications").at(0).at("runs").empty());
}

TEST_F(ReportJobTest, AResumedJobHasNoDuration) {
  job.started = Job::Time(std::chrono::seconds(105));
  EXPECT_FALSE(JobProfile(job, store)->contains("seconds"));
}

TEST_F(ReportJobTest, TheSamplesOfAllRunsAreOneTable) {
  auto samples = JobSamplesCsv(job, store);
  ASSERT_TRUE(samples.ok()) << samples.error().message();
  EXPECT_EQ(*samples,
            "application,run,time_seconds,cpu_seconds,gpu0\n"
            "app,1,0.1,1,\n"
            "app,1,0.2,2,\n"
            "app,2,0.1,,9\n");
}

TEST_F(ReportJobTest, SamplesThatAreGoneAreLeftOut) {
  std::filesystem::remove(folder.path() / "1.csv");
  EXPECT_EQ(*JobSamplesCsv(job, store),
            "application,run,time_seconds,gpu0\napp,2,0.1,9\n");
  std::filesystem::remove(folder.path() / "2.csv");
  auto none = JobSamplesCsv(job, store);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
}

TEST_F(ReportJobTest, MalformedSamplesAreAnError) {
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "1.csv", "a,b\n1\n").ok());
  auto samples = JobSamplesCsv(job, store);
  ASSERT_FALSE(samples.ok());
  EXPECT_THAT(samples.error().message(),
              StartsWith("samples of run 1: line 2"));
}

TEST_F(ReportJobTest, ThePageShowsAllRuns) {
  auto page = JobReport(job, store);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_THAT(*page, HasSubstr("night"));
  EXPECT_THAT(*page, HasSubstr("mete measure --repeat 2"));
}

TEST_F(ReportJobTest, AJobWithoutRunsHasNeitherSamplesNorAPage) {
  job.run_ids.clear();
  job.state = JobState::kFailed;
  job.error = "no such program";
  auto page = JobReport(job, store);
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().message(),
            "job 01JOB (failed) has no runs: no such program");
  EXPECT_EQ(JobSamplesCsv(job, store).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
