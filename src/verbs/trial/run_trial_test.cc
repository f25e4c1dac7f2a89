#include "trial/run_trial.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string Lines(double rate, double spread) {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += fmt::format("{} img/s\n", rate + (i % 2 == 0 ? spread : -spread));
  }
  return text;
}

// An application that never ends and prints its rate: 100 images per second
// with one CPU, 180 with two, 200 with four.
struct TrialStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  TrialRequest request{
      .application = {.command = {"./train"}},
      .axes = {ParseTrialAxis("cpus=1,2,4").value()},
      .source = {.hook = "",
                 .in_log = LogPattern::Parse("([0-9.]+) img/s").value()},
      .budget = Seconds(90)};
  double rate_of_two = 180;
  double spread = 1;
  std::stop_source stop;

  TrialStage() {
    platform.script = [this](const LaunchRequest& launch) {
      int64_t cpus = launch.limits.cpus->count;
      double rate = cpus == 1000 ? 100 : cpus == 2000 ? rate_of_two : 200;
      return ApplicationScript{.length = std::nullopt,
                               .output = Lines(rate, spread)};
    };
  }

  Result<TrialResult> Try() {
    return RunTrial(request,
                    {.runs = runs,
                     .platform = platform.Get(),
                     .torch = {},
                     .runs_folder = scratch.path()},
                    {}, stop.get_token());
  }
  size_t starts() const { return platform.launcher.log().starts.size(); }
};

std::vector<std::string> Labels(const TrialResult& result) {
  std::vector<std::string> labels;
  for (const TrialEntry& entry : result.entries) labels.push_back(entry.label);
  return labels;
}

TEST(RunTrial, EndsAfterOneRoundIfTheWinnerIsClear) {
  TrialStage stage;
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_TRUE(result->decided);
  EXPECT_THAT(Labels(*result), ElementsAre("cpus=4", "cpus=2", "cpus=1"));
  EXPECT_NEAR(result->entries[0].value->mean, 200, 0.01);
  EXPECT_EQ(stage.starts(), 3u);
  // A third of the budget for the first of three rounds, shared by three.
  EXPECT_NEAR(result->spent.count(), 30, 1);
}

TEST(RunTrial, ContinuesWithTheBestTwoWhileTheirIntervalsOverlap) {
  TrialStage stage;
  stage.rate_of_two = 200;
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_FALSE(result->decided);
  EXPECT_EQ(stage.starts(), 3u + 2 + 2);
  EXPECT_THAT(result->entries[0].run_ids, SizeIs(3));
  EXPECT_THAT(result->entries[2].run_ids, SizeIs(1));
  EXPECT_NEAR(result->spent.count(), 90, 3);
}

TEST(RunTrial, RelatesTheThroughputToTheCpus) {
  TrialStage stage;
  auto result = stage.Try();
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(*result->entries[0].efficiency, 0.5, 1e-3);  // 200 of 400
  EXPECT_NEAR(*result->entries[1].efficiency, 0.9, 1e-3);  // 180 of 200
  EXPECT_NEAR(*result->entries[2].efficiency, 1, 1e-9);
}

TEST(RunTrial, PrefersTheCheapestForTheObjectiveCost) {
  TrialStage stage;
  stage.request.objective = TrialObjective::kCost;
  stage.request.prices = TrialPrices{.cpu = 3.6};
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->entries[0].label, "cpus=1");
  EXPECT_NEAR(result->entries[0].cost->mean, 0.01, 1e-5);
  EXPECT_TRUE(result->decided);
}

TEST(RunTrial, NeedsPricesForTheObjectiveCost) {
  TrialStage stage;
  stage.request.objective = TrialObjective::kCost;
  auto result = stage.Try();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(stage.starts(), 0u);
}

TEST(RunTrial, GivesUpAVariantThatFails) {
  TrialStage stage;
  auto script = stage.platform.script;
  stage.platform.script = [script](const LaunchRequest& launch) {
    ApplicationScript made = script(launch);
    if (launch.limits.cpus->count == 4000) {
      made.length = std::chrono::seconds(1);
      made.ending = {.exit_code = 3};
    }
    return made;
  };
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_THAT(Labels(*result), ElementsAre("cpus=2", "cpus=1", "cpus=4"));
  EXPECT_THAT(result->entries[2].failure, HasSubstr("failed"));
  EXPECT_FALSE(result->entries[2].value.has_value());
  EXPECT_TRUE(result->decided);
}

TEST(RunTrial, GivesUpAVariantWhoseLimitCannotBeApplied) {
  TrialStage stage;
  auto script = stage.platform.script;
  stage.platform.script = [script](const LaunchRequest& launch) {
    ApplicationScript made = script(launch);
    made.missing_limits = {EnforcedLimit::kCpus};
    made.notes = {"the CPU limit was not applied"};
    return made;
  };
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->entries[0].failure, "the CPU limit could not be applied");
  EXPECT_THAT(result->notes,
              testing::Contains("the CPU limit was not applied"));
}

TEST(RunTrial, SaysWhenNothingWasReported) {
  TrialStage stage;
  stage.request.source.in_log = LogPattern::Parse("([0-9]+) steps").value();
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_FALSE(result->decided);
  EXPECT_THAT(result->entries[0].failure, HasSubstr("no value within"));
  EXPECT_EQ(stage.starts(), 3u);
}

TEST(RunTrial, StoresEveryRun) {
  TrialStage stage;
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(stage.runs.ListRuns({}).value(), SizeIs(3));
}

TEST(RunTrial, EndsWhenInterrupted) {
  TrialStage stage;
  auto script = stage.platform.script;
  stage.platform.script = [&, script](const LaunchRequest& launch) {
    ApplicationScript made = script(launch);
    if (stage.starts() == 2) {
      made.on_wait = [&stage] { stage.stop.request_stop(); };
    }
    return made;
  };
  auto result = stage.Try();
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->interrupted);
  EXPECT_FALSE(result->decided);
  EXPECT_EQ(stage.starts(), 2u);
}

TEST(RunTrial, RepeatsRunsThatEndByThemselves) {
  TrialStage stage;
  stage.request.source = {};
  stage.request.objective = TrialObjective::kLatency;
  stage.platform.script = [](const LaunchRequest& launch) {
    return ApplicationScript{
        .length = std::chrono::seconds(8000 / launch.limits.cpus->count)};
  };
  auto result = stage.Try();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->entries[0].label, "cpus=4");
  EXPECT_NEAR(result->entries[0].value->mean, 2, 0.2);
  EXPECT_THAT(result->entries[0].run_ids, SizeIs(2));  // two give an interval
}

}  // namespace
}  // namespace mete
