#include "train/train_contention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contention/test_simulation.h"
#include "predict/contention_files.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;

std::string TableOf(const std::vector<MixObservation>& rows) {
  std::string table = MixCsvHeader();
  for (const MixObservation& row : rows) table += ToCsvLine(row);
  return table;
}

class TrainContentionTest : public testing::Test {
 protected:
  Result<TrainedContention> Train(const std::vector<MixObservation>& rows,
                                  std::vector<std::string> methods) {
    const auto table = folder.path() / "table.csv";
    EXPECT_TRUE(WriteFileAtomically(table, TableOf(rows)).ok());
    return TrainContention(
        {.table = table,
         .folder = folder.path() / "predictors",
         .methods = std::move(methods),
         .pressure = {.pressures = {1}, .folds = 2, .steps = 150}},
        {.clock = clock, .torch = {}}, {}, {});
  }

  FakeClock clock;
  ScratchFolder folder = ScratchFolder::Create().value();
};

std::vector<MixObservation> SmallTable() {
  return Simulate({.random_mixes = 20, .window_s = 2});
}

TEST_F(TrainContentionTest, SavesTheBetterMethodWithTheErrorsOfBoth) {
  auto trained = Train(SmallTable(), {"scaloran", "pressure"});
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  auto loaded = LoadContentionPredictor(folder.path() / "predictors", "");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  EXPECT_EQ(loaded->device, "simulated");
  EXPECT_EQ(loaded->predictor->method(), "pressure");
  ASSERT_EQ(loaded->errors["service"].size(), 2u);
  EXPECT_EQ(loaded->errors["service"][0]["method"], "scaloran");
}

TEST_F(TrainContentionTest, WithoutMeteTorchOnlyDeepsetsIsLeftOut) {
  auto trained = Train(SmallTable(), {"agnostic", "deepsets"});
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  ASSERT_EQ(trained->warnings.size(), 1u);
  EXPECT_THAT(trained->warnings[0],
              HasSubstr("deepsets is left out: mete-torch is not installed"));
  trained = Train(SmallTable(), {"deepsets"});
  EXPECT_EQ(trained.error().code(), ErrorCode::kUnavailable);
}

TEST_F(TrainContentionTest, ATableOfTwoDevicesNeedsAChoice) {
  std::vector<MixObservation> rows = SmallTable();
  rows.back().device = "other";
  auto trained = Train(rows, {"agnostic"});
  EXPECT_EQ(trained.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(trained.error().message(), HasSubstr("other, simulated"));
}

TEST_F(TrainContentionTest, BaselinesAloneAreNotEnough) {
  std::vector<MixObservation> rows =
      Simulate({.random_mixes = 0, .window_s = 1});
  auto trained = Train(rows, {"pressure"});
  EXPECT_EQ(trained.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(trained.error().message(), HasSubstr("mete contend random"));
}

TEST_F(TrainContentionTest, AnUnknownMethodIsAnError) {
  auto trained = Train({}, {"oracle"});
  EXPECT_THAT(trained.error().message(),
              HasSubstr("unknown method 'oracle'; there are pressure, "));
}

}  // namespace
}  // namespace mete
