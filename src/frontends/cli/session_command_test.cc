#include "cli/session_command.h"

#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "domain/run_json.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Runs `mete session` with fakes and a file of two applications.
struct SessionCommandStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  NetworkCheck check;
  std::string program;  // of networks
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::string spec = (scratch.path() / "spec.yaml").string();
  std::string out = (scratch.path() / "out").string();

  SessionCommandStage() {
    EXPECT_TRUE(WriteFileAtomically(spec,
                                    "name: night\n"
                                    "applications:\n"
                                    "  - {name: a, command: [./a]}\n"
                                    "  - {name: b, command: [./b]}\n")
                    .ok());
  }

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "session");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddSessionCommand(
          root, verbs,
          [&]() -> Result<SessionDependencies> {
            ApplicationDependencies all = platform.Get();
            all.networks.program = program;
            return SessionDependencies{.runs = runs, .platform = all};
          },
          [&]() -> Result<NetworkCheck> { return check; });
    });
  }
};

TEST(SessionCommand, RunsTheSessionAndWritesItsReport) {
  SessionCommandStage stage;
  CommandRun end = stage.Run({"run", stage.spec, "--out", stage.out});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("application"));
  EXPECT_THAT(end.out, HasSubstr("report " + stage.out + "/report.html\n"));
  EXPECT_TRUE(std::filesystem::exists(stage.out + "/report.html"));
  EXPECT_EQ(stage.runs.ListRuns({})->size(), 2u);
}

// Makes the application that is started as the Nth report 20 events a second.
void ReportRate(SessionCommandStage& stage, int nth, const std::string& name) {
  stage.platform.on_listen = [nth, name, listeners = 0](
                                 const ListenRequest&,
                                 AppEventSink& sink) mutable {
    if (++listeners != nth) return;
    for (int i = 0; i <= 30; ++i) {
      sink.Take({.name = name,
                 .kind = AppMetricKind::kRate,
                 .value = 1,
                 .at = std::chrono::milliseconds(50 * i)});
    }
  };
}

TEST(SessionCommand, ShowsTheFramesPerSecondThatApplicationsReport) {
  SessionCommandStage stage;
  ReportRate(stage, 1, "frame");
  CommandRun end = stage.Run({"run", stage.spec, "--out", stage.out});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("  frame/s\n"));
  EXPECT_THAT(end.out, HasSubstr("       20\nb "));
}

TEST(SessionCommand, AFullDiskIsReportedAfterTheResult) {
  SessionCommandStage stage;
  stage.runs.save_failure = Unavailable("the disk is full");
  CommandRun end = stage.Run({"run", stage.spec, "--out", stage.out});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.out, StartsWith("application"));
  EXPECT_EQ(end.err, "mete: the run is not stored: the disk is full\n");
}

TEST(SessionCommand, AnApplicationThatDoesNotStartIsAWarningAndExitsWithOne) {
  SessionCommandStage stage;
  stage.platform.script = [](const LaunchRequest& launch) {
    ApplicationScript script;
    if (launch.command[0] == "./a" || launch.command[0].ends_with("/a")) {
      script.start_failure = NotFound("start ./a: no such file");
    }
    return script;
  };
  CommandRun end = stage.Run({"run", stage.spec, "--out", stage.out});
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.err, "warning: a was not run: start ./a: no such file\n");
}

TEST(SessionCommand, CheckOpensNoStore) {
  SessionCommandStage stage;
  CommandRun end = RunCommand(
      {"session", "check", stage.spec}, [](Command root, Verbs& verbs) {
        AddSessionCommand(
            root, verbs,
            []() -> Result<SessionDependencies> {
              return Unavailable("dependencies were requested");
            },
            []() -> Result<NetworkCheck> { return NetworkCheck(); });
      });
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("night: 2 applications, one after"));
}

TEST(SessionCommand, AnInvalidFileIsAUsageErrorButAMissingOneIsNot) {
  SessionCommandStage stage;
  ASSERT_TRUE(WriteFileAtomically(stage.spec, "name: night\n").ok());
  for (const char* action : {"run", "check"}) {
    CommandRun invalid = stage.Run({action, stage.spec});
    EXPECT_EQ(invalid.code, 2) << action;
    EXPECT_EQ(invalid.err, "mete: " + stage.spec +
                               ": no applications; list at least one below "
                               "'applications:'\n");
    EXPECT_EQ(stage.Run({action, stage.spec + ".gone"}).code, 1) << action;
  }
}

TEST(SessionCommand, CheckReportsADamagedNetworkInOneLine) {
  SessionCommandStage stage;
  ASSERT_TRUE(WriteFileAtomically(stage.scratch.path() / "n.onnx", "x").ok());
  ASSERT_TRUE(
      WriteFileAtomically(stage.spec, "applications: [{network: n.onnx}]\n")
          .ok());
  CommandRun fine = stage.Run({"check", stage.spec});
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("mete measure /"));
  stage.check = [](const auto& path) -> Status {
    return InvalidInput("read " + path.filename().string() + ": truncated");
  };
  CommandRun end = stage.Run({"check", stage.spec});
  EXPECT_NE(end.code, 0);
  EXPECT_EQ(end.err, "mete: application n: read n.onnx: truncated\n");
}

// A session of one network, whose process reports a run, and one command.
CommandRun RunWithNetwork(SessionCommandStage& stage) {
  EXPECT_TRUE(WriteFileAtomically(stage.scratch.path() / "n.onnx", "x").ok());
  EXPECT_TRUE(WriteFileAtomically(stage.spec,
                                  "applications:\n"
                                  "  - {network: n.onnx}\n"
                                  "  - {command: ./a}\n")
                  .ok());
  // The process leaves the run that it measured in the file of its last
  // argument.
  stage.platform.script = [](const LaunchRequest& request) {
    if (request.command.size() < 2) return ApplicationScript{};
    mete::Run run;
    run.id = "r";
    run.network()->latency =
        LatencySummary{.mean = Seconds(0.02), .p50 = Seconds(0.02)};
    run.network()->throughput = 50;
    run.network()->verdict.kind = VerdictKind::kDrifting;
    EXPECT_TRUE(WriteFileAtomically(request.command.back(),
                                    RunToJson(run).dump() + "\n0.02\n")
                    .ok());
    return ApplicationScript{};
  };
  stage.program = "/opt/mete";
  return stage.Run({"run", stage.spec, "--out", stage.out});
}

TEST(SessionCommand, ShowsLatencyAndRateOfNetworks) {
  SessionCommandStage stage;
  CommandRun end = RunWithNetwork(stage);
  EXPECT_EQ(end.code, 4) << end.err;  // not reliable
  EXPECT_THAT(end.out, HasSubstr("latency  infer/s\n"));
  EXPECT_THAT(end.out, HasSubstr("n               1  drifting"));
  EXPECT_THAT(end.out, HasSubstr("20.0 ms"));
}

TEST(SessionCommand, ShowsFramesBesideTheLatencyOfNetworksIfTheyFit) {
  SessionCommandStage stage;
  ReportRate(stage, 1, "frame");
  EXPECT_THAT(RunWithNetwork(stage).out,
              HasSubstr("latency  infer/s  frame/s\n"));
  SessionCommandStage wide;
  ReportRate(wide, 1, "detections");
  EXPECT_THAT(RunWithNetwork(wide).out, HasSubstr("latency  infer/s\n"));
}

}  // namespace
}  // namespace mete
