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

ClusterNode NodeCalled(const std::string& name) {
  ClusterNode node{.name = name};
  node.facts.cores = 1;
  node.micro = MicroMeasurements{.speeds = {TestSpeed(1)}};
  return node;
}

Estimate AskOf(const LatencyPredictor& predictor, const ClusterNode& node) {
  const ClusterNode* nodes[] = {&node};
  return predictor
      .Predict({.name = "net",
                .counts = ToNetworkCounts(TestNetwork(1)),
                .traits = TestNetwork(1)},
               nodes, Detail::kWords)
      .front();
}

TEST(PredictorFiles, HaveANameForEachKindAndQuantity) {
  EXPECT_EQ(PredictorFileName(FeatureKind::kFull, Quantity::kSeconds),
            "latency-full.json");
  EXPECT_EQ(PredictorFileName(FeatureKind::kCounts, Quantity::kSeconds),
            "latency-counts.json");
  EXPECT_EQ(PredictorFileName(FeatureKind::kFull, Quantity::kJoules),
            "energy-full.json");
}

// A device that the training has not seen is left to the bundled predictor.
TEST(PredictorFiles, BundledPredictorsAnswerForUnseenDevices) {
  ScratchFolder folder = ScratchFolder::Create().value();
  const std::string full = DumpJson(Some(FeatureKind::kFull).ToJson());
  const std::string counts = DumpJson(Some(FeatureKind::kCounts).ToJson());
  SavePredictor(folder.path(), Some(FeatureKind::kFull)).value();
  SavePredictor(folder.path(), Some(FeatureKind::kCounts)).value();
  PredictorSet set =
      LoadPredictors(folder.path(), {.full = full, .counts = counts}).value();
  for (const auto& predictor : {set.full, set.counts}) {
    EXPECT_EQ(AskOf(*predictor, NodeCalled("device-1.000000")).assumption, "");
    EXPECT_NE(AskOf(*predictor, NodeCalled("pi")).assumption, "");
  }
  // Without a bundled one, the trained one answers for all.
  set = LoadPredictors(folder.path(), {}).value();
  EXPECT_EQ(AskOf(*set.full, NodeCalled("pi")).assumption, "");
  EXPECT_EQ(AskOf(*set.counts, NodeCalled("pi")).assumption, "");
  EXPECT_EQ(set.energy, nullptr);
}

TEST(PredictorFiles, ACalibratedDeviceIsNoUnseenOne) {
  ScratchFolder folder = ScratchFolder::Create().value();
  const std::string full = DumpJson(Some(FeatureKind::kFull).ToJson());
  SavePredictor(folder.path(), Some(FeatureKind::kFull)).value();
  std::vector<LatencyRow> rows =
      TestRows({.networks = 3, .speeds = {1}, .loads = {0}});
  for (LatencyRow& row : rows) {
    row.device = "pi";
    row.seconds = 4 * *row.seconds;
  }
  const double before =
      AskOf(*LoadPredictors(folder.path(), {.full = full})->full,
            NodeCalled("pi"))
          .value;
  auto path = SaveCalibration(folder.path(), rows);
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->filename().string().size(),
            std::string("calibration-").size() + 12 + 4);
  PredictorSet set = LoadPredictors(folder.path(), {.full = full}).value();
  Estimate after = AskOf(*set.full, NodeCalled("pi"));
  EXPECT_EQ(after.assumption, "");
  EXPECT_NEAR(after.value / before, 4, 0.8);
  EXPECT_NE(AskOf(*set.full, NodeCalled("other")).assumption, "");
  // Others keep their estimates.
  EXPECT_NEAR(AskOf(*set.full, NodeCalled("device-1.000000")).value / before, 1,
              0.1);
}

TEST(PredictorFiles, EnergyIsReadFromItsOwnFile) {
  ScratchFolder folder = ScratchFolder::Create().value();
  TreePredictor::Parts parts = Some(FeatureKind::kFull).parts();
  parts.quantity = Quantity::kJoules;
  auto path = SavePredictor(folder.path(), TreePredictor(parts));
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->filename(), "energy-full.json");
  const std::string full = DumpJson(Some(FeatureKind::kFull).ToJson());
  PredictorSet set = LoadPredictors(folder.path(), {.full = full}).value();
  EXPECT_NE(set.energy, nullptr);
  EXPECT_TRUE(set.bundled);  // of latency
}

TEST(PredictorFiles, TheFullPredictorAloneIsTheTrainedOneIfThereIsOne) {
  ScratchFolder folder = ScratchFolder::Create().value();
  EXPECT_EQ(LoadFullPredictor(folder.path(), {}).error().code(),
            ErrorCode::kUnavailable);
  const std::string full = DumpJson(Some(FeatureKind::kFull).ToJson());
  auto loaded = LoadFullPredictor(folder.path(), {.full = full});
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE((*loaded)->parts().provenance.bundled);
  SavePredictor(folder.path(), Some(FeatureKind::kFull)).value();
  loaded = LoadFullPredictor(folder.path(), {.full = full});
  ASSERT_TRUE(loaded.ok());
  EXPECT_FALSE((*loaded)->parts().provenance.bundled);
}

TEST(PredictorFiles, AFileThatCannotBeReadIsAnError) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::filesystem::create_directory(folder.path() / "latency-full.json");
  const std::string full = DumpJson(Some(FeatureKind::kFull).ToJson());
  EXPECT_FALSE(LoadPredictors(folder.path(), {.full = full}).ok());
  EXPECT_FALSE(LoadFullPredictor(folder.path(), {.full = full}).ok());
  auto broken = LoadPredictors(folder.path() / "none", {.full = "{"});
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message().find("bundled predictor"),
            std::string::npos);
}

TEST(PredictorFiles, RemovingACalibrationReportsFailures) {
  ScratchFolder folder = ScratchFolder::Create().value();
  EXPECT_TRUE(RemoveCalibration(folder.path(), "none").ok());
  std::vector<LatencyRow> rows =
      TestRows({.networks = 1, .speeds = {1}, .loads = {0}});
  const auto path = SaveCalibration(folder.path(), rows).value();
  std::filesystem::remove(path);
  std::filesystem::create_directories(path / "inner");
  Status removed = RemoveCalibration(folder.path(), rows[0].device);
  ASSERT_FALSE(removed.ok());
  EXPECT_NE(removed.error().message().find(path.string()), std::string::npos);
}

}  // namespace
}  // namespace mete
