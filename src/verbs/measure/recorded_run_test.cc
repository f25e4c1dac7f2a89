#include "measure/recorded_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A recorded run on fakes, in its own folder.
struct RecordedRunStage {
  FakeDependencies platform;
  ApplicationSpec spec{.command = {"./app"}};
  ApplicationScript script;
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::filesystem::path folder = scratch.path() / "out" / "1";
  std::vector<std::string> warnings;
  bool check_machine = false;

  Result<ApplicationRun> Record() {
    platform.script = [this](const LaunchRequest&) { return script; };
    auto prepared = PrepareApplication(spec, {}, platform.Get(), {}, {});
    EXPECT_TRUE(prepared.ok());
    prepared->check_machine = check_machine;
    return RecordRun(
        *prepared, folder, platform.Get(),
        {.warn = [this](const std::string& t) { warnings.push_back(t); }}, {});
  }
};

TEST(RecordRun, WritesOutputAndSamples) {
  RecordedRunStage stage;
  stage.script.output = "hello\n";
  auto done = stage.Record();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(*ReadFile(stage.folder / "app.log"), "hello\n");
  EXPECT_THAT(*ReadFile(stage.folder / "samples.csv"),
              StartsWith("time_seconds,"));
  EXPECT_EQ(done->run.application()->log_file, stage.folder / "app.log");
  EXPECT_EQ(done->run.application()->samples_file,
            stage.folder / "samples.csv");
  EXPECT_FALSE(done->run.id.empty());
}

TEST(RecordRun, NotesOtherUsersOfTheCpus) {
  RecordedRunStage stage;
  stage.check_machine = true;
  // Two CPUs were busy for the whole window, one of them for another machine.
  stage.platform.host.cpu_times = {
      {.cpus = 4, .busy = Seconds(10)},
      {.cpus = 4, .busy = Seconds(10.4), .stolen = Seconds(0.2)}};
  auto done = stage.Record();
  ASSERT_TRUE(done.ok());
  EXPECT_NEAR(done->run.environment.busy_cpus.value(), 2, 0.01);
  EXPECT_NEAR(done->run.environment.stolen_cpus.value(), 1, 0.01);
  EXPECT_THAT(done->run.application()->notes,
              testing::ElementsAre(HasSubstr("use 2.0 of 4 CPUs"),
                                   HasSubstr("take 1.0 of 4 CPUs")));
}

TEST(RecordRun, LooksAtTheMachineOnlyWhenAsked) {
  RecordedRunStage stage;
  stage.platform.host.cpu_times = {{.cpus = 4, .busy = Seconds(10)}};
  auto done = stage.Record();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.environment.busy_cpus, std::nullopt);
  EXPECT_EQ(stage.platform.host.cpu_readings, 0u);
}

TEST(RecordRun, ReportsMetricsFromTheHooks) {
  RecordedRunStage stage;
  stage.platform.on_listen = [](const ListenRequest& request,
                                AppEventSink& sink) {
    EXPECT_FALSE(request.everyone);
    sink.Take({.name = "frame", .kind = AppMetricKind::kRate, .value = 3});
  };
  auto done = stage.Record();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.application()->app_metrics.at("frame").count, 3u);
  EXPECT_EQ(stage.platform.launcher.log().starts[0].environment.count(
                "METE_HOOK_SOCKET"),
            1u);
}

TEST(RecordRun, AnyUserInAContainerCanReachTheHooks) {
  RecordedRunStage stage;
  stage.spec.container = ContainerSettings{.image = "app"};
  stage.platform.on_listen = [](const ListenRequest& request, AppEventSink&) {
    EXPECT_TRUE(request.everyone);
    auto mode = std::filesystem::status(request.folder).permissions();
    EXPECT_NE(mode & std::filesystem::perms::others_exec,
              std::filesystem::perms::none);
  };
  ASSERT_TRUE(stage.Record().ok());
}

TEST(RecordRun, ReadsOnlyTheChosenProbes) {
  RecordedRunStage stage;
  stage.spec.probes = {.machine = false, .hooks = false};
  bool listened = false;
  stage.platform.on_listen = [&](const ListenRequest&, AppEventSink&) {
    listened = true;
  };
  ASSERT_TRUE(stage.Record().ok());
  EXPECT_FALSE(listened);
  EXPECT_EQ(stage.platform.launcher.log().starts[0].environment.count(
                "METE_HOOK_SOCKET"),
            0u);
}

TEST(RecordRun, LeavesNothingBehindWhenNothingRan) {
  RecordedRunStage missing;
  missing.script.start_failure = NotFound("start ./app: no such file");
  EXPECT_FALSE(missing.Record().ok());
  EXPECT_FALSE(std::filesystem::exists(missing.scratch.path() / "out"));
  RecordedRunStage rejected;
  rejected.script.start_failure = Unsupported("memory limit: too small");
  auto done = rejected.Record();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.outcome.kind, OutcomeKind::kRejected);
  EXPECT_FALSE(std::filesystem::exists(rejected.scratch.path() / "out"));
}

TEST(RecordRun, LeavesNothingBehindWhenTheHooksCannotBeOpened) {
  RecordedRunStage stage;
  stage.platform.listen_failure = Unavailable("listen: no sockets left");
  auto done = stage.Record();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(), "listen: no sockets left");
  EXPECT_FALSE(std::filesystem::exists(stage.scratch.path() / "out"));
}

TEST(RecordRun, KeepsAFolderThatExistedBefore) {
  RecordedRunStage stage;
  std::filesystem::create_directories(stage.folder);
  stage.script.start_failure = NotFound("start ./app: no such file");
  EXPECT_FALSE(stage.Record().ok());
  EXPECT_TRUE(std::filesystem::exists(stage.folder));
}

TEST(RecordRun, FollowsNoLinksInItsFolder) {
  RecordedRunStage stage;
  std::filesystem::create_directories(stage.folder);
  const std::filesystem::path victim = stage.scratch.path() / "victim";
  ASSERT_TRUE(WriteFileAtomically(victim, "precious").ok());
  std::filesystem::create_symlink(victim, stage.folder / "samples.csv");
  ASSERT_TRUE(stage.Record().ok());
  EXPECT_EQ(*ReadFile(victim), "precious");
  std::filesystem::remove(stage.folder / "app.log");
  std::filesystem::create_symlink(victim, stage.folder / "app.log");
  auto done = stage.Record();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("app.log: too many"));
  EXPECT_EQ(*ReadFile(victim), "precious");
}

TEST(RecordRun, KeepsTheRunWhenItsSamplesCannotBeWritten) {
  RecordedRunStage stage;
  std::filesystem::create_directories(stage.folder / "samples.csv");
  auto done = stage.Record();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.application()->samples_file, "");
  ASSERT_EQ(stage.warnings.size(), 1u);
  EXPECT_THAT(stage.warnings[0], HasSubstr("the samples could not be written"));
}

TEST(RecordRun, NamesAFolderThatCannotBeCreated) {
  RecordedRunStage stage;
  ASSERT_TRUE(WriteFileAtomically(stage.scratch.path() / "out", "x").ok());
  auto done = stage.Record();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(),
              StartsWith("create " + stage.folder.string() + ": "));
  EXPECT_EQ(*ReadFile(stage.scratch.path() / "out"), "x");
}

}  // namespace
}  // namespace mete
