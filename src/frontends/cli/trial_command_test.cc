#include "cli/trial_command.h"

#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// An application that takes 8 s with one CPU and less with more.
struct TrialCommandStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  int exit_code = 0;

  TrialCommandStage() {
    platform.script = [this](const LaunchRequest& launch) {
      ApplicationScript script;
      script.length =
          std::chrono::milliseconds(8'000'000 / launch.limits.cpus->count);
      script.ending.exit_code = exit_code;
      return script;
    };
  }

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "trial");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddTrialCommand(root, verbs,
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

TEST(TrialCommand, NamesTheBestVariant) {
  TrialCommandStage stage;
  CommandRun end = stage.Run({"--vary", "cpus=1,4", "--", "./app"});
  EXPECT_EQ(end.code, 0) << end.err << end.out;
  EXPECT_THAT(end.out, StartsWith("best is cpus=4: 0.5 steps/s"));
}

TEST(TrialCommand, ReadsTheApplicationFromASessionFile) {
  TrialCommandStage stage;
  auto file = stage.scratch.path() / "app.yaml";
  ASSERT_TRUE(WriteFileAtomically(
                  file, "name: one\napplications:\n  - command: [./app]\n")
                  .ok());
  CommandRun end = stage.Run(
      {"--vary", "cpus=1,4", "--workload", file.string(), "-o", "json"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("\"winner\": \"cpus=4\""));
}

TEST(TrialCommand, ExitsWithThreeIfNoVariantWorks) {
  TrialCommandStage stage;
  stage.exit_code = 1;
  CommandRun end = stage.Run({"--vary", "cpus=1,2", "--", "./app"});
  EXPECT_EQ(end.code, 3);
  EXPECT_THAT(end.out, StartsWith("no variant worked"));
}

TEST(TrialCommand, RefusesIncompleteRequests) {
  TrialCommandStage stage;
  CommandRun nothing = stage.Run({"--vary", "cpus=1,2"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("expected a file with --workload"));
  CommandRun no_price =
      stage.Run({"--vary", "cpus=1,2", "--objective", "cost", "--", "./app"});
  EXPECT_EQ(no_price.code, 2);
  EXPECT_THAT(no_price.err, HasSubstr("needs --price"));
  CommandRun no_axis = stage.Run({"--", "./app"});
  EXPECT_EQ(no_axis.code, 2);
  CommandRun wrong = stage.Run({"--vary", "disks=1", "--", "./app"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("cannot vary 'disks'"));
}

}  // namespace
}  // namespace mete
