#include "cli/contend_command.h"

#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "contend/test_services.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Services that answer at once, on a clock that each inference advances.
struct ContendStage {
  FakeClock clock;
  FakeHost host;
  MemoryRunStore runs;
  ScratchFolder scratch = ScratchFolder::Create().value();
  ServiceScript script;
  ServiceLog log;
  uint64_t drawn = 0;

  ContendStage() {
    script.on_infer = [this] { clock.Advance(std::chrono::seconds(1)); };
    clock.StandStillInSleep();
    clock.StepPerReading(std::chrono::milliseconds(10));
  }

  ContendCommandDependencies Dependencies() {
    return {.campaign = {
                .runs = runs,
                .host = host,
                .clock = clock,
                .draw_entropy = [this] { return RunEntropy{.low = ++drawn}; },
                .open_starter =
                    [this](const ServicePlace&, std::stop_token) {
                      return Result<std::unique_ptr<ServiceStarter>>(
                          std::make_unique<TestStarter>(script, log));
                    },
                .drive = AnswerAll,
                .open_chooser =
                    [](uint64_t) -> Result<std::unique_ptr<MixChooser>> {
                  return Unsupported("no predictors");
                },
                .campaigns_folder = scratch.path() / "contend"},
            .applications = {"fast-small", "slow-small"}};
  }

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "contend");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddContendCommand(root, verbs,
                        [&]() -> Result<ContendCommandDependencies> {
                          return Dependencies();
                        });
    });
  }
};

TEST(ContendCommand, MeasuresAndWritesTheTable) {
  ContendStage stage;
  auto table = (stage.scratch.path() / "t.csv").string();
  CommandRun end = stage.Run({"baseline", "--apps", "fast-small,slow-small",
                              "--rates", "5/s,10", "--export-table", table});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("4 mixes planned, 0 measured before, 4 now"));
  EXPECT_THAT(end.err, HasSubstr("wrote 4 rows to " + table));
  auto rows = ParseMixCsv(ReadFile(table).value());
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 4u);
}

TEST(ContendCommand, PrintsThePlanWithoutStartingAnything) {
  ContendStage stage;
  CommandRun end = stage.Run(
      {"random", "--apps", "fast-small", "--runs", "30", "--dry-run"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("30 mixes, about 11 min\n"));
  EXPECT_TRUE(stage.log.started.empty());
}

TEST(ContendCommand, SuggestsTheNearestApplication) {
  ContendStage stage;
  CommandRun end = stage.Run({"baseline", "--apps", "fast-smal"});
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err,
            "mete contend: unknown application 'fast-smal'; did you mean "
            "'fast-small'?\n");
}

TEST(ContendCommand, RejectsRatesThatAreNotPositive) {
  ContendStage stage;
  for (const char* rates : {"0", "5,0/s", "-1", "nan", "inf", "x", ""}) {
    CommandRun end =
        stage.Run({"baseline", "--apps", "fast-small", "--rates", rates});
    EXPECT_EQ(end.code, 2) << rates;
    EXPECT_THAT(end.err, HasSubstr("--rates")) << rates;
  }
}

TEST(ContendCommand, RejectsInstancesWindowsAndKindsThatMakeNoSense) {
  ContendStage stage;
  EXPECT_EQ(
      stage.Run({"baseline", "--apps", "fast-small", "--instances", "0"}).code,
      2);
  EXPECT_EQ(
      stage.Run({"baseline", "--apps", "fast-small", "--window", "0s"}).code,
      2);
  EXPECT_EQ(stage.Run({"triples", "--apps", "fast-small"}).code, 2);
  EXPECT_EQ(stage.Run({"random", "--apps", "fast-small", "--runs", "0"}).code,
            2);
  EXPECT_EQ(stage.Run({"baseline"}).code, 2);
  EXPECT_EQ(stage.Run({"baseline", "--apps", "fast-small,fast-small"}).code, 2);
}

TEST(ContendCommand, ABudgetThatNothingFitsIsInfeasible) {
  ContendStage stage;
  CommandRun end =
      stage.Run({"baseline", "--apps", "fast-small", "--memory-budget", "1Mi"});
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.err, "mete contend: no mix fits the memory budget\n");
}

TEST(ContendCommand, ANeverReadyServiceIsOneLine) {
  ContendStage stage;
  stage.script.ready = [](const std::string&, size_t) -> Status {
    return Error(ErrorCode::kTimeout, "the service is not ready after 120 s");
  };
  CommandRun end = stage.Run({"baseline", "--apps", "fast-small"});
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.err,
            "mete: fast-small: the service is not ready after 120 s\n");
}

}  // namespace
}  // namespace mete
