#include "train/train_predictors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/latency_table.h"
#include "predict/predictor_files.h"
#include "predict/test_rows.h"
#include "support/file.h"
#include "support/gzip.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class TrainPredictorsTest : public testing::Test {
 protected:
  TrainPredictorsTest() {
    request.table = folder.path() / "rows.csv";
    request.folder = folder.path() / "predictors";
    request.random_folds = 2;
    request.network_folds = 2;
    request.seed = 7;
  }

  // Few networks and devices: trains quickly and is good enough to compare
  // predictors.
  static std::vector<LatencyRow> Rows() {
    return TestRows({.networks = 12, .speeds = {1, 0.5}, .loads = {0, 0.5}});
  }
  void WriteRows(const std::vector<LatencyRow>& rows) {
    ASSERT_TRUE(WriteFileAtomically(request.table, LatencyCsv(rows)).ok());
  }

  Result<TrainedPredictors> Train() {
    return TrainPredictors(
        request,
        {.store = [this]() -> Result<RunStore*> { return &store; },
         .clock = clock},
        [this](const std::string& what, size_t, size_t) {
          reported.push_back(what);
        },
        stop.get_token());
  }

  FakeClock clock;
  MemoryRunStore store;
  TrainPredictorsRequest request;
  std::vector<std::string> reported;
  std::stop_source stop;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(TrainPredictorsTest, SavesAFullPredictorAndOneFromCounts) {
  WriteRows(Rows());
  auto trained = Train();
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  EXPECT_THAT(trained->saved,
              ElementsAre(request.folder / "latency-full.json",
                          request.folder / "latency-counts.json"));
  EXPECT_EQ(trained->warning, "");
  EXPECT_EQ(trained->full.predictor.parts().provenance.seed, 7u);
  EXPECT_EQ(trained->full.predictor.parts().provenance.trained_at,
            clock.Wall());
  EXPECT_THAT(reported, Contains("latency from counts"));
  auto set = LoadPredictors(request.folder, {});
  ASSERT_TRUE(set.ok()) << set.error().message();
  EXPECT_NE(set->counts, nullptr);
}

TEST_F(TrainPredictorsTest, ListsTheCountsPredictorBesideTheFullOne) {
  WriteRows(Rows());
  auto trained = Train();
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  std::vector<std::string> names;
  for (const Validation& one : trained->full.validations) {
    if (one.protocol == Protocol::kNetworkOut) names.push_back(one.predictor);
  }
  ASSERT_GE(names.size(), 2u);
  EXPECT_EQ(names[0], "mete");
  EXPECT_EQ(names[1], "mete, layer counts only");
}

TEST_F(TrainPredictorsTest, ReadsACompressedTableAndWritesPredictions) {
  ASSERT_TRUE(
      WriteFileAtomically(request.table, Gzip(LatencyCsv(Rows())).value())
          .ok());
  request.predictions = folder.path() / "held.csv";
  auto trained = Train();
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  EXPECT_EQ(trained->saved.front(), request.predictions);
  EXPECT_THAT(ReadFile(request.predictions).value(), HasSubstr("net-3"));
}

TEST_F(TrainPredictorsTest,
       TooFewEnergyMeasurementsSkipOnlyTheEnergyPredictor) {
  std::vector<LatencyRow> rows = Rows();
  rows[0].joules = 0.5;
  WriteRows(rows);
  auto trained = Train();
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  EXPECT_THAT(trained->warning, HasSubstr("no energy predictor was trained: "));
  EXPECT_EQ(trained->saved.size(), 2u);
}

TEST_F(TrainPredictorsTest, RejectsAnEmptyStore) {
  request.table.clear();
  auto trained = Train();
  ASSERT_FALSE(trained.ok());
  EXPECT_EQ(trained.error().code(), ErrorCode::kInvalidInput);
}

TEST_F(TrainPredictorsTest, SavesNothingWhenStopped) {
  WriteRows(Rows());
  stop.request_stop();
  auto trained = Train();
  ASSERT_FALSE(trained.ok());
  EXPECT_EQ(trained.error().code(), ErrorCode::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(request.folder));
}

}  // namespace
}  // namespace mete
