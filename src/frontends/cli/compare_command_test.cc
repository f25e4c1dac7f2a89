#include "cli/compare_command.h"

#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Runs `mete compare` with fakes: ./a takes 100 ms, ./b 120 ms, everything
// else varies between 90 and 110 ms.
struct CompareCommandStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  int exit_code = 0;
  int calls = 0;

  CompareCommandStage() {
    platform.script = [this](const LaunchRequest& launch) {
      ApplicationScript script;
      const std::string& program = launch.command.front();
      int length = 90 + (++calls * 7) % 20;
      if (program == "./a") length = 100;
      if (program == "./b") length = 120;
      script.length = std::chrono::milliseconds(length);
      script.ending.exit_code = exit_code;
      return script;
    };
  }

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddCompareCommand(root, verbs,
                        [&]() -> Result<MeasureApplicationDependencies> {
                          return MeasureApplicationDependencies{
                              .runs = runs,
                              .platform = platform.Get(),
                              .torch = {},
                              .runs_folder = scratch.path() / "runs"};
                        });
    });
  }
};

TEST(CompareCommand, SaysWhichOfTwoCommandsIsFaster) {
  CompareCommandStage stage;
  CommandRun end = stage.Run({"--", "./a", "./b --new"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("B is slower: it takes 1.200 times as long"));
  EXPECT_THAT(end.out, HasSubstr("./b --new"));
  EXPECT_EQ(end.err, "");
  EXPECT_EQ(stage.runs.ListRuns({})->size(), 20u);
}

TEST(CompareCommand, ExitsWithThreeIfTheGateFails) {
  CompareCommandStage stage;
  CommandRun end =
      stage.Run({"--fail-if-slower", "5%", "-o", "json", "--", "./a", "./b"});
  EXPECT_EQ(end.code, 3);
  EXPECT_THAT(end.out, HasSubstr("\"verdict\": \"failed\""));
  EXPECT_THAT(end.err, StartsWith("warning: gate failed: B takes at least "));
  EXPECT_EQ(stage.Run({"--fail-if-slower", "30%", "--", "./a", "./b"}).code, 0);
  EXPECT_EQ(stage.Run({"--fail-if-slower", "0%", "--", "./b", "./a"}).code, 0);
}

TEST(CompareCommand, ExitsWithFourIfTheGateCannotBeDecided) {
  CompareCommandStage stage;
  CommandRun few = stage.Run(
      {"--fail-if-slower", "5%", "--repeat", "3", "--", "./a", "./b"});
  EXPECT_EQ(few.code, 4);
  EXPECT_THAT(few.out,
              HasSubstr("gate cannot be decided: 3 pairs are too few"));
  CommandRun noisy = stage.Run({"--fail-if-slower", "1%", "--", "./c", "./d"});
  EXPECT_EQ(noisy.code, 4);
  EXPECT_THAT(noisy.out, StartsWith("cannot tell which is faster"));
}

TEST(CompareCommand, ComparesStoredRuns) {
  CompareCommandStage stage;
  ASSERT_EQ(stage.Run({"--repeat", "6", "--", "./a", "./b"}).code, 0);
  std::string a;
  std::string b;
  auto stored = stage.runs.ListRuns({}).value();
  for (const mete::Run& run : stored) {
    std::string& side = run.workload.source == "./a" ? a : b;
    side += (side.empty() ? "" : ",") + run.id;
  }
  CommandRun end = stage.Run({a, b, "-o", "csv"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr(",runs,1.2"));
  CommandRun unknown = stage.Run({"nothing", b});
  EXPECT_EQ(unknown.code, 1);
}

TEST(CompareCommand, ReportsACommandThatFails) {
  CompareCommandStage stage;
  stage.exit_code = 7;
  CommandRun end = stage.Run({"--", "./a", "./b"});
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.out, "");
  EXPECT_THAT(end.err, StartsWith("mete compare: ./a did not succeed: "));
  EXPECT_THAT(end.err, HasSubstr("exit code 7; output: "));
}

TEST(CompareCommand, ExplainsWrongUsage) {
  CompareCommandStage stage;
  struct Mistake {
    std::vector<std::string> arguments;
    const char* complaint;
  };
  for (const Mistake& mistake : std::vector<Mistake>{
           {{}, "expected two runs or two commands after --"},
           {{"01A"}, "expected two runs or two commands after --"},
           {{"--", "./a"},
            "expected two commands after --, each quoted, got 1"},
           {{"--", "./a", "-x", "./b"}, "each quoted, got 3"},
           {{"--", "./a | wc", "./b"}, "'./a | wc' needs a shell: write \"sh "},
           {{"01A", "01B", "--", "a", "b"}, "not both"},
           {{"--warmup", "1", "01A", "01B"}, "--warmup is for commands"},
           {{"a.onnx", "b.onnx"}, "expected the IDs of runs, not a network"},
           {{"--pin", "9", "--", "a", "b"}, "--pin: CPU 9 does not exist"},
           {{"--pin", "1", "--cpuset", "1", "--", "a", "b"},
            "--pin and --cpuset cannot be given together"},
           {{"--fail-if-slower", "much", "--", "a", "b"}, "is not a ratio"}}) {
    CommandRun end = stage.Run(mistake.arguments);
    EXPECT_EQ(end.code, 2) << mistake.complaint;
    EXPECT_THAT(end.err, StartsWith("mete compare: "));
    EXPECT_THAT(end.err, HasSubstr(mistake.complaint));
    EXPECT_EQ(end.out, "");
  }
}

}  // namespace
}  // namespace mete
