#include "predict/predictor_files.h"

#include <gtest/gtest.h>

#include "predict/test_rows.h"
#include "predict/train_latency.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

TreePredictor Some(FeatureKind kind) {
  std::vector<LatencyRow> rows = TestRows({.networks = 6});
  return TrainLatency(
             {.rows = rows, .kind = kind, .trees = TestTrees()},
             {.random_folds = 2, .network_folds = 2, .baselines = false}, {},
             {})
      .value()
      .predictor;
}

TEST(PredictorFiles, TrainedPredictorTakesPrecedenceOverTheBundledOne) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string bundled = DumpJson(Some(FeatureKind::kFull).ToJson());
  BundledPredictors bundled_predictors{.full = bundled};
  PredictorSet before =
      LoadPredictors(folder.path(), bundled_predictors).value();
  EXPECT_TRUE(before.bundled);
  EXPECT_TRUE(before.full->origin().starts_with("starter: "));

  std::filesystem::path below = folder.path() / "new" / "folder";
  SavePredictor(below, Some(FeatureKind::kFull)).value();
  PredictorSet after = LoadPredictors(below, bundled_predictors).value();
  EXPECT_FALSE(after.bundled);
  EXPECT_FALSE(after.full->origin().starts_with("starter"));
  EXPECT_EQ(after.counts, nullptr);
}

TEST(PredictorFiles, WithoutPredictorsTheErrorSaysWhatToDo) {
  ScratchFolder folder = ScratchFolder::Create().value();
  Result<PredictorSet> set = LoadPredictors(folder.path(), {});
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().code(), ErrorCode::kUnavailable);
  EXPECT_NE(set.error().message().find("mete train latency"),
            std::string::npos);
}

TEST(PredictorFiles, DamagedFileIsReportedNotReplacedByTheBundledOne) {
  ScratchFolder folder = ScratchFolder::Create().value();
  ASSERT_TRUE(
      WriteFileAtomically(folder.path() / "latency-full.json", "{").ok());
  std::string bundled = DumpJson(Some(FeatureKind::kFull).ToJson());
  Result<PredictorSet> set = LoadPredictors(folder.path(), {.full = bundled});
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().message().find("latency-full.json"), std::string::npos);
}

TEST(PredictorFiles, AMissingFolderHasNoCalibrations) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string bundled = DumpJson(Some(FeatureKind::kFull).ToJson());
  EXPECT_TRUE(LoadPredictors(folder.path() / "none", {.full = bundled}).ok());
}

TEST(PredictorFiles, ADamagedCalibrationIsNamedUntilItIsRemoved) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string bundled = DumpJson(Some(FeatureKind::kFull).ToJson());
  std::vector<LatencyRow> rows = TestRows({.networks = 6});
  for (LatencyRow& row : rows) row.device = "edge/1";
  auto path = SaveCalibration(folder.path(), rows);
  ASSERT_TRUE(path.ok()) << path.error().message();
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "notes.csv", "other").ok());
  EXPECT_TRUE(LoadPredictors(folder.path(), {.full = bundled}).ok());
  ASSERT_TRUE(WriteFileAtomically(*path, "a,b\n1,2\n").ok());
  auto set = LoadPredictors(folder.path(), {.full = bundled});
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().message().find(path->filename().string()),
            std::string::npos);
  ASSERT_TRUE(RemoveCalibration(folder.path(), "edge/1").ok());
  EXPECT_TRUE(LoadPredictors(folder.path(), {.full = bundled}).ok());
}

}  // namespace
}  // namespace mete
