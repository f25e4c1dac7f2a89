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

TEST(RunSession, MeasuresAnApplicationOnEveryNodeOfItsCluster) {
  SessionStage stage;
  stage.platform.cluster.nodes = {"edge-1", "edge-2"};
  stage.platform.script = [](const LaunchRequest& launch) {
    return ApplicationScript{.place =
                                 RemotePlace{.device_id = "id-" + launch.node,
                                             .device_name = launch.node}};
  };
  stage.request.spec.applications = {
      {.name = "app",
       .container = ContainerSettings{.image = "app:1"},
       .launcher = "kubernetes",
       .nodes = "all"}};
  auto done = stage.Run();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(stage.Saved(), ElementsAre("app@edge-1", "app@edge-2"));
  ASSERT_EQ(done->applications.size(), 2u);
  EXPECT_EQ(done->applications[1].runs[0].run.device_name, "edge-2");
  EXPECT_TRUE(
      std::filesystem::exists(stage.request.folder / "app-edge-2/app.log"));
}

TEST(RunSession, ASessionOnNodesNeedsNodes) {
  SessionStage stage;
  stage.request.spec.applications = {
      {.name = "app",
       .container = ContainerSettings{.image = "app:1"},
       .launcher = "kubernetes",
       .nodes = "all"}};
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            "application app: no node of the cluster is ready");
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
  stage.request.folder = stage.scratch.path() / "made" / "out";
  stage.request.spec.applications.pop_back();
  stage.Break("./a");
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            "application first: start ./a: no such file");
  EXPECT_FALSE(std::filesystem::exists(stage.scratch.path() / "made"));
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

TEST(RunSession, FindsCpusThatDoNotExistBeforeRunningAny) {
  SessionStage stage;
  stage.request.spec.applications[1].limits.pin = "1,9";
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            "application second: pin: CPU 9 does not exist or is not allowed "
            "here; usable: 0-3");
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

TEST(RunSession, ApplicationsSideBySideAreCheckedForOthersOnce) {
  SessionStage stage;
  stage.request.spec.order = SessionOrder::kTogether;
  stage.request.spec.applications[0].repeat = 2;
  stage.platform.host.cpu_times = {{.cpus = 4, .busy = Seconds(10)},
                                   {.cpus = 4, .busy = Seconds(10.4)}};
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(stage.platform.host.cpu_readings, 2u);
  for (const ApplicationResult& application : done->applications) {
    const mete::Run& first = application.runs[0].run;
    EXPECT_NEAR(first.environment.busy_cpus.value(), 2, 0.01);
    EXPECT_THAT(first.application()->notes,
                ElementsAre(HasSubstr("use 2.0 of 4 CPUs")));
  }
  const mete::Run& second = done->applications[0].runs[1].run;
  EXPECT_EQ(second.environment.busy_cpus, std::nullopt);
  EXPECT_THAT(second.application()->notes, testing::IsEmpty());
}

TEST(RunSession, RefusesAFolderThatIsNotEmpty) {
  SessionStage stage;
  std::filesystem::create_directory(stage.request.folder);
  const auto notes = stage.request.folder / "notes.txt";
  ASSERT_TRUE(WriteFileAtomically(notes, "mine").ok());
  auto done = stage.Run();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("is not empty"));
  stage.request.folder = notes;
  EXPECT_THAT(stage.Run().error().message(),
              HasSubstr("is a file, not a folder"));
  EXPECT_TRUE(stage.platform.launcher.log().starts.empty());
}

// The application of this number, counted from 1, is interrupted by Ctrl-C.
void InterruptAt(SessionStage& stage, int number) {
  stage.platform.script = [&stage, number,
                           starts = 0](const LaunchRequest&) mutable {
    ApplicationScript script;
    if (++starts != number) return script;
    script.length = std::nullopt;
    script.on_wait = [&stage] { stage.stop.request_stop(); };
    return script;
  };
}

// As a later mete would run the session.
Result<SessionResult> RunAgain(SessionStage& stage) {
  stage.stop = std::stop_source();
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{};
  };
  return stage.Run();
}

TEST(ResumeSession, MakesTheMissingRunsAndKeepsTheOthers) {
  SessionStage stage;
  stage.request.spec.applications[0].repeat = 3;
  InterruptAt(stage, 2);
  auto first = stage.Run();
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_TRUE(first->interrupted);
  EXPECT_EQ(stage.platform.launcher.log().starts.size(), 2u);
  auto done = RunAgain(stage);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(stage.platform.launcher.log().starts.size(), 5u);
  EXPECT_FALSE(done->interrupted);
  EXPECT_EQ(done->resumed, 1);
  EXPECT_EQ(done->started_at, first->started_at);
  EXPECT_GT(done->seconds, 3);
  ASSERT_EQ(done->applications[0].runs.size(), 3u);
  EXPECT_EQ(done->applications[0].runs[0].run.id,
            first->applications[0].runs[0].run.id);
  EXPECT_EQ(done->applications[0].runs[1].run.outcome.kind,
            OutcomeKind::kCompleted);
  EXPECT_EQ(done->applications[1].runs.size(), 1u);
}

TEST(ResumeSession, AKilledMeteLosesOnlyTheRunThatItWasMaking) {
  SessionStage stage;
  ASSERT_TRUE(stage.Run().ok());
  // As if killed before the second application had ended.
  std::filesystem::remove(stage.request.folder / "second/run.json");
  auto state = ReadFile(stage.request.folder / "session.json");
  const size_t end = state->find("\"finished\": true");
  ASSERT_NE(end, std::string::npos);
  state->replace(end, 16, "\"finished\": false");
  ASSERT_TRUE(
      WriteFileAtomically(stage.request.folder / "session.json", *state).ok());
  auto done = RunAgain(stage);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(stage.Saved(), ElementsAre("first", "second", "second"));
}

TEST(ResumeSession, KeepsSamplesAndRatesOfEarlierRuns) {
  SessionStage stage;
  stage.platform.on_listen = [&](const ListenRequest&, AppEventSink& sink) {
    for (int i = 0; i <= 30; ++i) {
      sink.Take({.name = "frame",
                 .kind = AppMetricKind::kRate,
                 .value = 1,
                 .at = std::chrono::milliseconds(100 * i)});
    }
  };
  InterruptAt(stage, 2);
  auto first = stage.Run();
  ASSERT_TRUE(first.ok()) << first.error().message();
  auto done = RunAgain(stage);
  ASSERT_TRUE(done.ok()) << done.error().message();
  const ApplicationRun& kept = done->applications[0].runs[0];
  EXPECT_EQ(kept.earlier_samples,
            *ReadFile(stage.request.folder / "first/samples.csv"));
  EXPECT_THAT(kept.earlier_samples, HasSubstr("time_seconds"));
  const AppMetric& before =
      first->applications[0].runs[0].run.application()->app_metrics["frame"];
  const AppMetric& after = kept.run.application()->app_metrics.at("frame");
  EXPECT_EQ(after.per_second, before.per_second);
  EXPECT_EQ(after.first - kept.started,
            before.first - first->applications[0].runs[0].started);
}

TEST(ResumeSession, RepeatsARoundThatWasNotFinished) {
  SessionStage stage;
  stage.request.spec.order = SessionOrder::kTogether;
  stage.request.spec.applications[0].repeat = 2;
  stage.request.spec.applications[1].repeat = 2;
  ASSERT_TRUE(stage.Run().ok());
  // As if killed between keeping the first and the second run of round 2.
  std::filesystem::remove(stage.request.folder / "second/2/run.json");
  auto state = ReadFile(stage.request.folder / "session.json");
  const size_t end = state->find("\"finished\": true");
  ASSERT_NE(end, std::string::npos);
  state->replace(end, 16, "\"finished\": false");
  ASSERT_TRUE(
      WriteFileAtomically(stage.request.folder / "session.json", *state).ok());
  auto done = RunAgain(stage);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(stage.platform.launcher.log().starts.size(), 6u);
  EXPECT_EQ(done->applications[0].runs.size(), 2u);
  EXPECT_EQ(done->applications[1].runs.size(), 2u);
}

TEST(ResumeSession, RefusesAFinishedSession) {
  SessionStage stage;
  ASSERT_TRUE(stage.Run().ok());
  auto done = RunAgain(stage);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            stage.request.folder.string() +
                " has the results of this session, which is finished; choose "
                "another folder with --out");
}

TEST(ResumeSession, RefusesAnotherSession) {
  SessionStage stage;
  InterruptAt(stage, 2);
  ASSERT_TRUE(stage.Run().ok());
  stage.request.spec.applications[1].repeat = 2;
  auto done = RunAgain(stage);
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(),
              HasSubstr("has the results of another session, or of this one "
                        "with another content; choose another folder"));
}

TEST(ResumeSession, RefusesTheFolderOfARunningSession) {
  SessionStage stage;
  std::string refusal;
  stage.platform.script = [&](const LaunchRequest&) {
    if (!refusal.empty()) return ApplicationScript{};
    refusal = "none";
    SessionStage other;
    other.request = stage.request;
    auto run = other.Run();
    if (!run.ok()) refusal = run.error().message();
    return ApplicationScript{};
  };
  ASSERT_TRUE(stage.Run().ok());
  EXPECT_THAT(refusal, HasSubstr("is in use by another mete"));
}

TEST(ResumeSession, StartsInAFolderWhoseFirstFileWasNotFinished) {
  SessionStage stage;
  std::filesystem::create_directory(stage.request.folder);
  const auto left = stage.request.folder / "session.json.01ab45ef";
  ASSERT_TRUE(WriteFileAtomically(left, "{").ok());
  auto done = stage.Run();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST(RunSession, ReportsTheResultsSoFarAfterEachRun) {
  SessionStage stage;
  std::vector<size_t> runs;
  std::vector<bool> interrupted;
  stage.request.so_far = [&](const SessionResult& session) {
    runs.push_back(CollectRuns(session).size());
    interrupted.push_back(session.interrupted);
    EXPECT_GT(session.seconds, 0);
    auto state = ReadFile(session.folder / "session.json");
    EXPECT_THAT(*state, HasSubstr("\"finished\": false"));
  };
  auto done = stage.Run();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(runs, ElementsAre(1u, 2u, 2u));
  EXPECT_THAT(interrupted, ElementsAre(true, true, false));
  EXPECT_FALSE(done->interrupted);
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

TEST(FolderName, KeepsLettersDigitsDotsAndUnderscores) {
  EXPECT_EQ(FolderName("azAZ09._x"), "azAZ09._x");
  EXPECT_EQ(FolderName("a`{@[/:b"), "a------b");
}

}  // namespace
}  // namespace mete
