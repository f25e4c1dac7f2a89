#include "cli/train_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "collect/latency_table.h"
#include "contention/test_simulation.h"
#include "predict/test_rows.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;

class TrainCommandTest : public testing::Test {
 protected:
  CommandRun Train(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"train", "latency", "--folds", "2",
                                         "--network-folds", "2"});
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddTrainCommand(root, verbs, [&]() -> Result<TrainCommandDependencies> {
        return TrainCommandDependencies{
            .training = {.store = [this]() -> Result<RunStore*> {
                           return &store;
                         },
                         .clock = clock},
            .folder = folder.path() / "default"};
      });
    });
  }

  FakeClock clock;
  MemoryRunStore store;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(TrainCommandTest, TrainsFromATableAndSavesToTheGivenFolder) {
  std::string table = folder.path() / "rows.csv";
  std::string out = folder.path() / "own";
  auto rows = TestRows({.networks = 12, .speeds = {1, 0.5}, .loads = {0, 0.5}});
  ASSERT_TRUE(WriteFileAtomically(table, LatencyCsv(rows)).ok());
  CommandRun run = Train({"--from", table, "--out", out, "-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("layer counts only"));
  EXPECT_EQ(run.err, "saved " + out + "/latency-full.json\nsaved " + out +
                         "/latency-counts.json\n");
}

TEST_F(TrainCommandTest, AnEmptyStoreIsAnError) {
  CommandRun run = Train({});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "default"));
}

TEST_F(TrainCommandTest, AStoreThatDoesNotExistIsAnError) {
  std::string path = folder.path() / "none.db";
  CommandRun run = Train({"--store", "sqlite:" + path});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: open store " + path +
                         ": no such file; commands that measure create it\n");
  // A table needs no store.
  run = Train({"--store", "sqlite:" + path, "--from", "/nowhere.csv"});
  EXPECT_THAT(run.err, HasSubstr("/nowhere.csv"));
}

TEST_F(TrainCommandTest, ASeedIsAWholeNumber) {
  for (const char* seed : {"-1", "x"}) {
    CommandRun run = Train({"--seed", seed});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, std::string("mete train latency: --seed: '") + seed +
                           "' is not a whole number\n");
  }
}

TEST_F(TrainCommandTest, AMissingTableIsAnError) {
  CommandRun run = Train({"--from", "/nowhere.csv"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: read /nowhere.csv: no such file or directory\n");
}

class TrainContentionCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string rows = MixCsvHeader();
    for (const MixObservation& row :
         Simulate({.random_mixes = 12, .window_s = 1})) {
      rows += ToCsvLine(row);
    }
    ASSERT_TRUE(WriteFileAtomically(table, rows).ok());
  }

  CommandRun Train(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"train", "contention"});
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddTrainCommand(root, verbs, [&]() -> Result<TrainCommandDependencies> {
        return TrainCommandDependencies{
            .training = {.store = {}, .clock = clock},
            .folder = folder.path() / "default"};
      });
    });
  }

  FakeClock clock;
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string table = folder.path() / "table.csv";
};

TEST_F(TrainContentionCommandTest, PrintsTheErrorsAndSavesTheBestMethod) {
  CommandRun run =
      Train({"--from", table, "--method", "agnostic,scaloran", "-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nagnostic,service,,"));
  EXPECT_THAT(run.out, HasSubstr("\nscaloran,sojourn,cnn,"));
  EXPECT_THAT(run.err, HasSubstr("/default/contention-"));
}

TEST_F(TrainContentionCommandTest, WithoutMeteTorchDeepsetsFails) {
  CommandRun run = Train({"--from", table, "--method", "deepsets"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("mete-torch is not installed"));
}

TEST_F(TrainContentionCommandTest, BadArgumentsAreUsageErrors) {
  EXPECT_EQ(Train({}).code, 2);
  CommandRun run = Train({"--from", table, "--method", "oracle"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("'oracle' is not one of pressure, "));
  EXPECT_EQ(Train({"--from", table, "--method", "perx", "--compare"}).code, 2);
}

TEST_F(TrainContentionCommandTest, AMissingTableIsAnError) {
  CommandRun run = Train({"--from", "/nowhere.csv"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("/nowhere.csv"));
}

}  // namespace
}  // namespace mete
