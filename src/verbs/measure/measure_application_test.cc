#include "measure/measure_application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::Contains;
using testing::SizeIs;
using testing::StartsWith;

// An application that runs for one second, on fakes.
struct MeasureStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  MeasureApplicationRequest request{.application = {.command = {"./app"}}};
  std::vector<std::string> progress;

  Result<ApplicationMeasurement> Try() {
    return MeasureApplication(
        request,
        {.runs = runs,
         .platform = platform.Get(),
         .torch = {},
         .runs_folder = scratch.path()},
        {.progress = [this](const std::string& t) { progress.push_back(t); }},
        {});
  }
};

TEST(MeasureApplication, StoresEveryRunAndItsFilesById) {
  MeasureStage stage;
  stage.request.application.repeat = 2;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_TRUE(done->stored.ok());
  ASSERT_THAT(done->runs, SizeIs(2));
  EXPECT_THAT(stage.runs.ListRuns({}).value(), SizeIs(2));
  for (const mete::Run& run : done->runs) {
    EXPECT_TRUE(
        std::filesystem::exists(stage.scratch.path() / run.id / "app.log"));
  }
  EXPECT_THAT(stage.progress, Contains(StartsWith("2 of 2: ")));
}

// Before a later run, the machine is busy with mete's own work on the last one.
TEST(MeasureApplication, LooksAtTheMachineBeforeTheFirstRun) {
  MeasureStage stage;
  stage.request.application.repeat = 2;
  stage.platform.host.cpu_times = {{.cpus = 4, .busy = Seconds(10)},
                                   {.cpus = 4, .busy = Seconds(10.2)}};
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  ASSERT_THAT(done->runs, SizeIs(2));
  EXPECT_NEAR(done->runs[0].environment.busy_cpus.value(), 1, 0.01);
  EXPECT_EQ(done->runs[1].environment.busy_cpus, std::nullopt);
}

TEST(MeasureApplication, NumbersTheFoldersOfRepeatedRuns) {
  MeasureStage stage;
  stage.request.folder = stage.scratch.path() / "once";
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_TRUE(std::filesystem::exists(stage.request.folder / "app.log"));
  stage.request.folder = stage.scratch.path() / "twice";
  stage.request.application.repeat = 2;
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_TRUE(std::filesystem::exists(stage.request.folder / "2/app.log"));
}

TEST(MeasureApplication, EndsAfterARunThatCannotBeStoredAndReturnsIt) {
  MeasureStage stage;
  stage.request.application.repeat = 3;
  stage.runs.save_failure = Unavailable("the disk is full");
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(done->runs, SizeIs(1));
  ASSERT_FALSE(done->stored.ok());
  EXPECT_EQ(done->stored.error().message(),
            "the run is not stored: the disk is full");
}

TEST(MeasureApplication, DoesNotRetryARejectedLimit) {
  MeasureStage stage;
  stage.request.application.repeat = 3;
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{.start_failure = Unsupported("too small")};
  };
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(done->runs, SizeIs(1));
}

TEST(MeasureApplication, LooksForMeteTorchOnlyForCommands) {
  MeasureStage stage;
  stage.request.application.command = {"mete-torch", "train"};
  auto missing = stage.Try();
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message(),
              StartsWith("mete-torch is not installed"));
  stage.request.application.container = ContainerSettings{.image = "torch"};
  EXPECT_TRUE(stage.Try().ok());
}

}  // namespace
}  // namespace mete
