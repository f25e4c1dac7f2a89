#include "cli/sweep_command.h"

#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/any_graph_reader.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/fake_page_cache.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/memory_sweep_store.h"

namespace mete {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

// Runs `mete sweep` with fakes. The application needs 70 MiB.
struct SweepCommandStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  MemorySweepStore sweeps;
  AnyGraphReader reader;
  FakePageCache page_cache;
  ScratchFolder scratch = ScratchFolder::Create().value();

  SweepCommandStage() {
    platform.script = [](const LaunchRequest& launch) {
      ApplicationScript script;
      if (launch.limits.memory < Mebibytes(70)) {
        script.ending = {.signal = 9, .oom_kills = 1, .evidence = "script"};
      }
      return script;
    };
  }

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "sweep");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      auto questions = [&]() -> Result<SweepQuestionsDependencies> {
        return SweepQuestionsDependencies{.host = platform.host, .torch = {}};
      };
      AddSweepCommand(root, verbs, questions,
                      [&]() -> Result<SweepDependencies> {
                        return SweepDependencies{.runs = runs,
                                                 .sweeps = sweeps,
                                                 .reader = reader,
                                                 .page_cache = page_cache,
                                                 .platform = platform.Get(),
                                                 .torch = {},
                                                 .program = "mete",
                                                 .runs_folder = scratch.path()};
                      });
    });
  }
};

TEST(SweepCommand, PrintsTheMinimumMemory) {
  SweepCommandStage stage;
  CommandRun end = stage.Run(
      {"--memory", "100Mi:50Mi", "--search", "bisect", "--", "./app"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("app needs 70.0 MiB"));
  EXPECT_EQ(end.err, "");
  EXPECT_TRUE(stage.sweeps.ListSweeps()->front().finished);
}

TEST(SweepCommand, ExitsWithThreeIfEveryLimitIsTooLow) {
  SweepCommandStage stage;
  EXPECT_EQ(stage.Run({"--memory", "60Mi:40Mi", "--", "./app"}).code, 3);
}

TEST(SweepCommand, OneValueIsALimitForEveryRun) {
  SweepCommandStage stage;
  CommandRun end = stage.Run(
      {"--memory", "100Mi:90Mi:10Mi", "--cpus", "0.5", "--", "./app"});
  EXPECT_EQ(end.code, 0) << end.err;
  for (const LaunchRequest& start : stage.platform.launcher.log().starts) {
    EXPECT_EQ(start.limits.cpus, Millicores{500});
  }
}

TEST(SweepCommand, AFullDiskIsReportedAfterTheResult) {
  SweepCommandStage stage;
  stage.runs.save_failure = Unavailable("the disk is full");
  CommandRun end = stage.Run({"--memory", "100Mi:50Mi", "--", "./app"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.out, HasSubstr("100 MiB"));
  EXPECT_EQ(end.err, "mete: the run is not stored: the disk is full\n");
}

TEST(SweepCommand, SweepsANetworkWithItsThreads) {
  SweepCommandStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "abc").ok());
  CommandRun end =
      stage.Run({"--memory", "100Mi:90Mi", "--threads", "3", file.string()});
  EXPECT_EQ(end.code, 0) << end.err;
  const auto& command = stage.platform.launcher.log().starts.front().command;
  EXPECT_EQ(command.front(), "mete");
  EXPECT_THAT(command, Contains("3"));
}

TEST(SweepCommand, RunsOnTheGivenCpus) {
  SweepCommandStage stage;
  EXPECT_EQ(
      stage.Run({"--memory", "100Mi:70Mi", "--pin", "2", "--", "./app"}).code,
      0);
  EXPECT_EQ(stage.platform.launcher.log().starts.at(0).limits.pin, "2");
}

TEST(SweepCommand, InvalidArgumentsAreAUsageError) {
  SweepCommandStage stage;
  auto complaint = [&](const std::vector<std::string>& arguments) {
    CommandRun end = stage.Run(arguments);
    EXPECT_EQ(end.code, 2) << end.out;
    return end.err;
  };
  EXPECT_THAT(complaint({"--memory", "64Mi", "--", "./app"}),
              HasSubstr("nothing to sweep"));
  EXPECT_EQ(complaint({"--memory", "64Mi:32Mi", "--cpus", "0", "--", "./app"}),
            "mete sweep: --cpus: must be positive\n");
  EXPECT_THAT(complaint({"--memory", "40Mi:400Mi", "--", "./app"}),
              HasSubstr("FROM must be larger than TO: write 400Mi:40Mi"));
  EXPECT_EQ(complaint({"--cpus", "100:1:10", "--", "./app"}),
            "mete sweep: --cpus: this machine has only 4 CPUs\n");
  EXPECT_EQ(complaint({"--memory", "9Gi:1Gi", "--", "./app"}),
            "mete sweep: --memory: this machine has only 8.0 GiB; 9.0 GiB "
            "cannot be reached\n");
  EXPECT_EQ(complaint({"--memory", "400Mi:40Mi", "--pin", "9", "--", "./app"}),
            "mete sweep: --pin: CPU 9 does not exist or is not allowed here; "
            "usable: 0-3\n");
  EXPECT_EQ(
      complaint({"--memory", "400Mi:40Mi", "--threads", "2", "--", "./app"}),
      "mete sweep: --threads is for networks, not for commands\n");
  EXPECT_EQ(
      complaint({"--memory", "400Mi:40Mi", "--shape", "x=1x2", "--", "./app"}),
      "mete sweep: --shape is for networks, not for commands\n");
  EXPECT_EQ(complaint({"--memory", "400Mi:40Mi", "--cpus", "2:1",
                       "--export-csv", "t.csv", "--", "./app"}),
            "mete sweep: --export-csv: sweep one limit at a time; the format "
            "has one table for memory and one for CPUs\n");
  EXPECT_EQ(complaint({"--memory", "400Mi:40Mi"}),
            "mete sweep: expected a network file or a command after --: mete "
            "sweep --memory 400Mi:40Mi -- ./app\n");
  EXPECT_THAT(complaint({"--memory", "400Mi:40Mi:0", "--", "./app"}),
              HasSubstr("the step must be positive"));
  EXPECT_THAT(
      complaint({"--memory", "400Mi:40Mi", "--confirm", "2", "--", "./app"}),
      HasSubstr("--confirm requires --search bisect"));
  EXPECT_THAT(complaint({"--memory", "400Mi:40Mi", "net.onnx", "--", "./app"}),
              HasSubstr("not both"));
}

}  // namespace
}  // namespace mete
