#include "cli/jobs_command.h"

#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Runs `mete jobs` with fakes.
struct JobsCommandStage {
  FakeDependencies platform;
  MemoryJobStore jobs;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "jobs");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddJobsCommand(
          root, verbs,
          [&]() -> Result<JobsDependencies> {
            return JobsDependencies{
                .jobs = jobs,
                .host = platform.host,
                .clock = platform.clock,
                .open_runs = [&]() -> Result<RunStore*> { return &runs; },
                .draw_entropy =
                    [&] { return RunEntropy{.low = ++platform.drawn}; }};
          },
          [&]() -> Result<WorkOffDependencies> {
            return WorkOffDependencies{.ports = {.jobs = jobs,
                                                 .runs = runs,
                                                 .platform = platform.Get()},
                                       .runs_folder = scratch.path()};
          });
    });
  }
  // Submits a job and returns its id.
  std::string Submit() {
    std::string id = Run({"submit", "--", "./app"}).out;
    if (!id.empty()) id.pop_back();
    return id;
  }
  CommandRun Work() {
    platform.clock.StandStillInSleep();
    return Run({"run", "--until-empty"});
  }
};

TEST(JobsCommand, SubmitPrintsTheIdAndReportsAMissingWorker) {
  JobsCommandStage stage;
  CommandRun end = stage.Run(
      {"submit", "--name", "nightly", "--memory", "64Mi", "--", "./app"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.err, StartsWith("no worker is running"));
  Job job = stage.jobs.FindJob(end.out.substr(0, end.out.size() - 1)).value();
  EXPECT_EQ(job.name, "nightly");
  EXPECT_EQ(job.state, JobState::kQueued);
}

TEST(JobsCommand, SubmitRejectsJobsThatCannotRun) {
  JobsCommandStage stage;
  CommandRun nothing = stage.Run({"submit"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err,
              HasSubstr("expected a network file or a command after --"));
  CommandRun bounds = stage.Run({"submit", "--memory", "0", "--", "./app"});
  EXPECT_EQ(bounds.code, 2);
  EXPECT_EQ(bounds.err, "mete jobs submit: --memory: must be positive\n");
  CommandRun image = stage.Run({"submit", "--image", ""});
  EXPECT_EQ(image.code, 2);
  EXPECT_EQ(image.err,
            "mete jobs submit: --image: expected the name of an image\n");
  CommandRun privileged =
      stage.Run({"submit", "--image", "app", "--docker-arg", "--privileged"});
  EXPECT_EQ(privileged.code, 2);
  EXPECT_THAT(privileged.err, HasSubstr("use --allow-privileged to allow it"));
  CommandRun pinned = stage.Run({"submit", "--pin", "9", "--", "./app"});
  EXPECT_EQ(pinned.code, 2);
  EXPECT_EQ(pinned.err,
            "mete jobs submit: --pin: CPU 9 does not exist or is not allowed "
            "here; usable: 0-3\n");
  EXPECT_THAT(stage.jobs.ListJobs({}).value(), IsEmpty());
}

TEST(JobsCommand, AJobRunsOnTheCpusItWasSubmittedFor) {
  JobsCommandStage stage;
  ASSERT_EQ(stage.Run({"submit", "--pin", "1-2", "--", "./app"}).code, 0);
  EXPECT_EQ(stage.Work().code, 0);
  EXPECT_EQ(stage.platform.launcher.log().starts.at(0).limits.pin, "1-2");
}

TEST(JobsCommand, AWorkerRunsQueuedJobsAndWaitExitsLikeMeasure) {
  JobsCommandStage stage;
  std::string id = stage.Submit();
  CommandRun worked = stage.Work();
  EXPECT_EQ(worked.code, 0) << worked.err;
  EXPECT_THAT(worked.err, HasSubstr("app: completed (" + id + ")"));
  EXPECT_EQ(stage.runs.ListRuns({})->size(), 1u);
  CommandRun waited = stage.Run({"wait", id});
  EXPECT_EQ(waited.code, 0) << waited.err;
  EXPECT_THAT(waited.out, StartsWith("app on fake: completed after 1.00 s"));
}

TEST(JobsCommand, WaitExitsWithThreeAfterTheTimeout) {
  JobsCommandStage stage;
  std::string id = stage.Submit();
  CommandRun end = stage.Run({"wait", id, "--timeout", "2s"});
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.err, "warning: the job is still queued after 2s\n");
}

TEST(JobsCommand, CancelRemovesAJobFromTheQueueAndResumeQueuesItAgain) {
  JobsCommandStage stage;
  std::string id = stage.Submit();
  EXPECT_EQ(stage.Run({"cancel", id}).out, "app: cancelled\n");
  EXPECT_EQ(stage.Run({"resume", id}).out, "app: queued\n");
  EXPECT_EQ(stage.jobs.FindJob(id)->state, JobState::kQueued);
}

TEST(JobsCommand, ListAndShowPrintTheJobs) {
  JobsCommandStage stage;
  EXPECT_EQ(stage.Run({"list"}).err,
            "no jobs yet; try: mete jobs submit -- ./app\n");
  std::string id = stage.Submit();
  EXPECT_THAT(stage.Run({"list"}).out, HasSubstr("queued"));
  EXPECT_EQ(stage.Run({"list", "--state", "failed"}).err, "no job is failed\n");
  EXPECT_THAT(stage.Run({"show", id.substr(0, 20)}).out, HasSubstr(id));
  CommandRun unknown = stage.Run({"show", "zz"});
  EXPECT_EQ(unknown.code, 1);
}

TEST(JobsCommand, LogsPrintsTheOutputOfTheApplication) {
  JobsCommandStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{.output = "hello\n"};
  };
  std::string id = stage.Submit();
  EXPECT_EQ(stage.Run({"logs", id}).err, "the job has not run yet\n");
  stage.Work();
  EXPECT_THAT(stage.Run({"logs", id}).out, EndsWith("hello\n"));
}

}  // namespace
}  // namespace mete
