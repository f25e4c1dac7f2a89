#include "measure/run_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A session on fakes, in its own folder.
struct SessionStage {
  FakeDependencies platform;
  ScratchFolder scratch = ScratchFolder::Create().value();
  SessionRequest request{
      .spec = {.name = "s",
               .applications = {{.name = "first", .command = {"./a"}},
                                {.name = "second", .command = {"./b"}}}},
      .folder = scratch.path() / "out"};
  MemoryRunStore runs;
  std::stop_source stop;

  Result<SessionResult> Run() {
    return RunSession(request, {.runs = runs, .platform = platform.Get()}, {},
                      stop.get_token());
  }
  // The names of the stored runs, in the order they ran.
  std::vector<std::string> Saved() {
    std::vector<std::string> names;
    const auto stored = runs.ListRuns({});
    for (const mete::Run& run : *stored) {
      names.insert(names.begin(), run.workload.name);
    }
    return names;
  }
  // The application of this name cannot be started.
  void Break(const std::string& command) {
    platform.script = [command](const LaunchRequest& launch) {
      ApplicationScript script;
      if (launch.command[0] == command) {
        script.start_failure = NotFound("start " + command + ": no such file");
      }
      return script;
    };
  }
};

TEST(RunSession, RepeatsEachApplicationAndStoresEveryRun) {
  SessionStage stage;
  stage.request.spec.applications[0].repeat = 2;
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(stage.Saved(), ElementsAre("first", "first", "second"));
  EXPECT_EQ(done->seconds, 3);
  EXPECT_TRUE(
      std::filesystem::exists(stage.request.folder / "first/2/app.log"));
  EXPECT_TRUE(std::filesystem::exists(stage.request.folder / "second/app.log"));
}

TEST(RunSession, SingleRunGetsAFolderOfItsOwn) {
  SessionStage stage;
  stage.request.spec.applications.pop_back();
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->applications[0].runs[0].run.application()->samples_file,
            stage.request.folder / "first/samples.csv");
  EXPECT_FALSE(std::filesystem::exists(stage.request.folder / "samples.csv"));
}

TEST(RunSession, ApplicationNamedLikeASessionFileGetsAnotherFolder) {
  SessionStage stage;
  stage.request.spec.applications[0].name = "samples.csv";
  ASSERT_TRUE(stage.Run().ok());
  EXPECT_TRUE(
      std::filesystem::exists(stage.request.folder / "samples.csv-2/app.log"));
}

TEST(RunSession, ContinuesWhenOneApplicationCannotBeStarted) {
  SessionStage stage;
  stage.Break("./a");
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(done->applications[0].failure->message(), HasSubstr("./a"));
  EXPECT_TRUE(done->applications[0].runs.empty());
  EXPECT_EQ(done->applications[1].runs.size(), 1u);
}

TEST(RunSession, FailsAndLeavesNoFilesWhenNothingCouldBeStarted) {
  SessionStage stage;
  stage.request.spec.applications.pop_back();
  stage.Break("./a");
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            "application first: start ./a: no such file");
  EXPECT_FALSE(std::filesystem::exists(stage.request.folder));
}

TEST(RunSession, ChecksAllApplicationsBeforeRunningAny) {
  SessionStage stage;
  stage.request.spec.applications[1].dataset = "/nowhere";
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            "application second: dataset /nowhere: no such file or folder");
  EXPECT_TRUE(stage.platform.launcher.log().starts.empty());
}

TEST(RunSession, StopEndsTheSessionAndKeepsTheResultsSoFar) {
  SessionStage stage;
  stage.platform.script = [&](const LaunchRequest&) {
    ApplicationScript script{.length = std::nullopt};
    script.on_wait = [&] { stage.stop.request_stop(); };
    return script;
  };
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_TRUE(done->interrupted);
  EXPECT_EQ(done->applications[0].runs[0].run.outcome.kind,
            OutcomeKind::kInterrupted);
  EXPECT_TRUE(done->applications[1].runs.empty());
  EXPECT_THAT(stage.Saved(), ElementsAre("first"));
}

TEST(RunSession, DoesNotRetryARejectedLimit) {
  SessionStage stage;
  stage.request.spec.applications.pop_back();
  stage.request.spec.applications[0].repeat = 5;
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{.start_failure = Unsupported("too small")};
  };
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->applications[0].runs.size(), 1u);
}

TEST(RunSession, EndsAfterARunThatCannotBeStoredAndReturnsIt) {
  for (SessionOrder order :
       {SessionOrder::kSequential, SessionOrder::kTogether}) {
    SessionStage stage;
    stage.request.spec.order = order;
    stage.request.spec.applications[0].repeat = 3;
    stage.runs.save_failure = Unavailable("the disk is full");
    auto done = stage.Run();
    ASSERT_TRUE(done.ok()) << done.error().message();
    EXPECT_EQ(done->applications[0].runs.size(), 1u);
    ASSERT_FALSE(done->stored.ok());
    EXPECT_EQ(done->stored.error().message(),
              "the run is not stored: the disk is full");
  }
}

TEST(RunSession, RefusesAFolderThatIsNotEmpty) {
  SessionStage stage;
  stage.request.folder = stage.scratch.path();
  ASSERT_TRUE(
      WriteFileAtomically(stage.scratch.path() / "notes.txt", "mine").ok());
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("is not empty"));
  stage.request.folder = stage.scratch.path() / "notes.txt";
  EXPECT_THAT(stage.Run().error().message(),
              HasSubstr("is a file, not a folder"));
  EXPECT_TRUE(stage.platform.launcher.log().starts.empty());
}

TEST(RunSession, RegistersTheDeviceItRunsOn) {
  SessionStage stage;
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->device.name, "fake");
  EXPECT_EQ(stage.runs.ListDevices()->size(), 1u);
}

TEST(FolderName, IsNeitherHiddenNorOutsideItsParent) {
  EXPECT_EQ(FolderName("my/app:1"), "my-app-1");
  EXPECT_EQ(FolderName("../../etc"), "-..-etc");
  EXPECT_EQ(FolderName(".."), "application");
  EXPECT_EQ(FolderName(""), "application");
}

}  // namespace
}  // namespace mete
