#include "jobs/job_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/job_work.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

Job ExampleJob() {
  return {.id = "01HWTV3R40000000000000000A",
          .name = "nightly",
          .work = JobWorkToJson(
              {.application = {.command = {"./app"}, .repeat = 3}}),
          .device_id = "d1",
          .submitted = Job::Time(std::chrono::seconds(1714566600))};
}

TEST(JobListTable, HasOneLinePerJob) {
  Job job = ExampleJob();
  job.run_ids = {"r1"};
  EXPECT_EQ(JobListTable({job}).Text(),
            "job         submitted    name     state   runs  planned\n"
            "01HWTV3R40  05-01 12:30  nightly  queued     1        3\n");
}

TEST(JobListTable, ShowsAJobWhoseWorkCannotBeRead) {
  Job job = ExampleJob();
  job.work = Json();
  EXPECT_THAT(JobListTable({job}).Text(), HasSubstr("queued     0\n"));
}

TEST(JobText, ShowsTheStateFirst) {
  Job job = ExampleJob();
  job.state = JobState::kFailed;
  job.error = "start ./app: no such file or directory";
  job.started = job.submitted + std::chrono::seconds(1);
  job.run_ids = {"r1", "r2"};
  EXPECT_EQ(JobText(job),
            "nightly: failed\n"
            "start ./app: no such file or directory\n"
            "\n"
            "mete measure --repeat 3 -- ./app\n"
            "submitted 2024-05-01T12:30:00Z, started 2024-05-01T12:30:01Z\n"
            "run r1\n"
            "run r2\n"
            "job 01HWTV3R40000000000000000A\n");
}

TEST(JobText, ShowsThatARunningJobIsBeingCancelled) {
  Job job = ExampleJob();
  job.cancel_requested = true;
  EXPECT_THAT(JobText(job), Not(HasSubstr("being cancelled")));
  job.state = JobState::kRunning;
  EXPECT_THAT(JobText(job), HasSubstr("nightly: running, being cancelled\n"));
}

TEST(JobCsv, LeavesAbsentCellsEmpty) {
  EXPECT_EQ(JobCsv({ExampleJob()}),
            "job_id,name,state,device_id,submitted_at,started_at,ended_at,runs,"
            "wanted,folder,error\n"
            "01HWTV3R40000000000000000A,nightly,queued,d1,2024-05-01T12:30:00Z,"
            ",,0,3,,\n");
}

TEST(JobListTable, ShortensANameToTwentyCharacters) {
  Job job = ExampleJob();
  job.name = "12345678901234567890";
  EXPECT_THAT(JobListTable({job}).Text(), HasSubstr("  " + job.name + "  "));
  job.name += "1";
  EXPECT_THAT(JobListTable({job}).Text(),
              HasSubstr("  123456789…2345678901  "));
}

TEST(JobText, ShowsTheWorkerOfARunningJobOnly) {
  Job job = ExampleJob();
  job.worker = "box:7/1";
  job.state = JobState::kRunning;
  EXPECT_THAT(JobText(job), HasSubstr("\nworker box:7/1\n"));
  job.state = JobState::kCompleted;
  EXPECT_THAT(JobText(job), Not(HasSubstr("worker")));
}

TEST(JobText, ShowsTheFolderAndTheEndWhenThereIsOne) {
  Job job = ExampleJob();
  EXPECT_THAT(JobText(job), Not(HasSubstr("folder")));
  EXPECT_THAT(JobText(job), Not(HasSubstr("ended")));
  job.folder = "/runs/1";
  job.ended = job.submitted + std::chrono::seconds(2);
  EXPECT_THAT(JobText(job), HasSubstr("\nfolder /runs/1\n"));
  EXPECT_THAT(JobText(job), HasSubstr(", ended 2024-05-01T12:30:02Z\n"));
}

TEST(JobText, LeavesOutACommandThatCannotBeRead) {
  Job job = ExampleJob();
  job.work = Json();
  EXPECT_EQ(JobText(job),
            "nightly: queued\n\n"
            "submitted 2024-05-01T12:30:00Z\n"
            "job 01HWTV3R40000000000000000A\n");
}

TEST(JobCsv, HasTheTimesOfAnEndedJob) {
  Job job = ExampleJob();
  job.started = job.submitted + std::chrono::seconds(1);
  job.ended = job.submitted + std::chrono::seconds(2);
  EXPECT_THAT(JobCsv({job}),
              HasSubstr(",2024-05-01T12:30:01Z,2024-05-01T12:30:02Z,"));
}

}  // namespace
}  // namespace mete
