#include "compare/compare_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Two commands on fakes: ./a takes 100 ms, ./b takes 120 ms, and the machine
// gets 10 % slower with every pair.
struct CompareCommandsStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  CompareCommandsRequest request{.first = {.command = {"./a"}},
                                 .second = {.command = {"./b", "x"}},
                                 .repeat = 6};
  std::vector<std::string> order;
  std::optional<ProcessEnding> ending_of_b;
  std::vector<std::string> warnings;
  std::stop_source stop;

  CompareCommandsStage() {
    platform.script = [this](const LaunchRequest& launch) {
      const std::string& program = launch.command.front();
      order.push_back(program);
      auto rounds = std::ranges::count(order, program);
      ApplicationScript script;
      double factor = 1 + 0.1 * static_cast<double>(rounds - 1);
      script.length = std::chrono::duration_cast<std::chrono::nanoseconds>(
          milliseconds(program == "./a" ? 100 : 120) * factor);
      if (program == "sh") script.length = milliseconds(1);
      if (program == "./b" && ending_of_b) script.ending = *ending_of_b;
      return script;
    };
  }

  Result<CommandsCompared> Try() {
    return CompareCommands(
        request,
        {.runs = runs,
         .platform = platform.Get(),
         .torch = {},
         .runs_folder = scratch.path()},
        {.warn = [this](const std::string& text) { warnings.push_back(text); }},
        stop.get_token());
  }
};

TEST(CompareCommands, RunsBothInTurnSoThatDriftCancelsOut) {
  CompareCommandsStage stage;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  ASSERT_TRUE(done->comparison.has_value());
  EXPECT_THAT(stage.order, SizeIs(12));
  EXPECT_EQ(stage.order[0], "./a");
  EXPECT_EQ(stage.order[1], "./b");
  EXPECT_EQ(stage.order[2], "./a");
  const Comparison& comparison = *done->comparison;
  EXPECT_EQ(comparison.first.what, "./a");
  EXPECT_EQ(comparison.second.what, "./b x");
  EXPECT_EQ(comparison.first.values, 6u);
  EXPECT_NEAR(comparison.ratio.ratio, 1.2, 1e-6);
  ASSERT_TRUE(comparison.ratio.interval.has_value());
  EXPECT_NEAR(comparison.ratio.interval->low, 1.2, 1e-6);
  EXPECT_EQ(JudgeSpeed(comparison.ratio), SpeedVerdict::kSlower);
}

TEST(CompareCommands, StoresEveryRunExceptTheWarmUp) {
  CompareCommandsStage stage;
  stage.request.warmup = 2;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_THAT(stage.order, SizeIs(16));
  EXPECT_THAT(stage.runs.ListRuns({}).value(), SizeIs(12));
  ASSERT_TRUE(done->comparison.has_value());
  ASSERT_THAT(done->comparison->first.run_ids, SizeIs(6));
  EXPECT_TRUE(std::filesystem::exists(
      stage.scratch.path() / done->comparison->first.run_ids[0] / "app.log"));
}

TEST(CompareCommands, PreparesEveryRun) {
  CompareCommandsStage stage;
  stage.request.repeat = 2;
  stage.request.prepare = "rm -rf cache";
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(stage.order,
              ElementsAre("sh", "./a", "sh", "./b", "sh", "./a", "sh", "./b"));
  EXPECT_THAT(stage.platform.launcher.log().starts[0].command,
              ElementsAre("sh", "-c", "rm -rf cache"));
}

TEST(CompareCommands, FailsWhenThePreparationFails) {
  CompareCommandsStage stage;
  stage.request.prepare = "false";
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{.ending = {.exit_code = 1}, .output = "no\nway"};
  };
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(),
            "the --prepare command failed (exit code 1): no");
}

TEST(CompareCommands, EndsAtARunThatDoesNotSucceed) {
  CompareCommandsStage stage;
  stage.ending_of_b = ProcessEnding{.exit_code = 7};
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_FALSE(done->comparison.has_value());
  ASSERT_TRUE(done->unsuccessful.has_value());
  EXPECT_EQ(done->unsuccessful->workload.source, "./b x");
  EXPECT_THAT(stage.order, SizeIs(2));
}

TEST(CompareCommands, ComparesTheCompletePairsWhenInterrupted) {
  CompareCommandsStage stage;
  auto script = stage.platform.script;
  stage.platform.script = [&, script](const LaunchRequest& launch) {
    ApplicationScript made = script(launch);
    if (stage.order.size() == 5) {
      made.on_wait = [&stage] { stage.stop.request_stop(); };
      made.length.reset();
    }
    return made;
  };
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  ASSERT_TRUE(done->comparison.has_value());
  EXPECT_EQ(done->comparison->first.values, 2u);
  EXPECT_THAT(done->comparison->notes,
              ElementsAre("interrupted: 2 of 6 pairs were run"));
}

TEST(CompareCommands, WarnsAboutOtherUsersOfTheCpusBeforeTheFirstRun) {
  CompareCommandsStage stage;
  stage.request.warmup = 1;
  stage.platform.host.cpu_times = {{.cpus = 4, .busy = Seconds(10)},
                                   {.cpus = 4, .busy = Seconds(10.4)}};
  size_t warnings_at_first_run = 0;
  auto script = stage.platform.script;
  stage.platform.script = [&, script](const LaunchRequest& launch) {
    if (stage.order.empty()) warnings_at_first_run = stage.warnings.size();
    return script(launch);
  };
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(warnings_at_first_run, 1u);
  EXPECT_THAT(stage.warnings, ElementsAre(HasSubstr("use 2.0 of 4 CPUs")));
  EXPECT_THAT(done->comparison.value().notes,
              ElementsAre(HasSubstr("use 2.0 of 4 CPUs")));
  EXPECT_EQ(stage.platform.host.cpu_readings, 2u);
  const mete::Run first =
      stage.runs.FindRun(done->comparison->first.run_ids[0]).value();
  EXPECT_NEAR(first.environment.busy_cpus.value(), 2, 0.01);
}

TEST(SplitComparedCommand, RefusesWhatOnlyAShellUnderstands) {
  EXPECT_THAT(SplitComparedCommand("./a 'b c'").value(),
              ElementsAre("./a", "b c"));
  for (const char* text : {"a | b", "a && b", "a; b", "a > b"}) {
    auto split = SplitComparedCommand(text);
    ASSERT_FALSE(split.ok()) << text;
    EXPECT_THAT(split.error().message(), HasSubstr("needs a shell"));
  }
  EXPECT_FALSE(SplitComparedCommand("").ok());
  EXPECT_TRUE(SplitComparedCommand("sh -c 'a | b'").ok());
}

}  // namespace
}  // namespace mete
