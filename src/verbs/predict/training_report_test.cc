#include "predict/training_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/test_rows.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

TreePredictor Predictor(std::vector<std::string> devices) {
  const size_t columns = FeatureColumns(FeatureKind::kCounts).size();
  return TreePredictor({.kind = FeatureKind::kCounts,
                        .trees = FlatTrees::Constant(0, columns),
                        .ranges = std::vector<ColumnRange>(columns),
                        .radius = 0.5,
                        .provenance = {.rows = 12,
                                       .networks = 1,
                                       .devices = std::move(devices),
                                       .table_sha256 = "abc"}});
}

Trained Example() {
  Trained trained{.predictor = Predictor({"a", "b"})};
  trained.validations = {
      {.predictor = "mete",
       .protocol = Protocol::kNetworkOut,
       .errors = ErrorSummary{.rows = 12,
                              .mean_absolute = 0.002,
                              .root_mean_square = 0.003,
                              .r2 = 0.987,
                              .median_relative = 0.099,
                              .within_10 = 0.1,
                              .within_20 = 0.5,
                              .within_25 = 0.75,
                              .within_factor_2 = 1},
       .coverage = 0.9},
      {.predictor = "linear in load", .protocol = Protocol::kNetworkOut}};
  trained.importance = {{"load", 0.75}, {"cpus", 0.25}};
  trained.fastest = {.cases = 1200, .right = 1116};
  return trained;
}

TEST(TrainingText, HasATableForEachProtocol) {
  const std::string text = TrainingText(Example());
  EXPECT_THAT(text,
              HasSubstr("trained on 12 runs of 1 network on 2 devices\n"));
  EXPECT_THAT(
      text,
      HasSubstr("unseen network  "
                "    MAE     RMSE    R2  median  <10 %  <20 %  covered\n"
                "mete            2.00 ms  3.00 ms  0.99   9.9 %   10 %   50 % "
                "    90 %\n"
                "linear in load        -        -     -       -      -      - "
                "       -\n"));
  EXPECT_THAT(text, HasSubstr("right in 93 % of 1,200 cases"));
  EXPECT_THAT(text, HasSubstr("column  gain\nload    75 %\ncpus    25 %\n"));
}

TEST(TrainingText, ADeviceCannotBeLeftOutIfThereIsOne) {
  Trained trained = Example();
  trained.predictor = Predictor({"a"});
  EXPECT_THAT(TrainingText(trained),
              HasSubstr("unseen device: needs runs on at least 2 devices\n"));
  EXPECT_THAT(TrainingText(Example()), Not(HasSubstr("needs runs")));
}

TEST(TrainingText, ShowsTheEightMostImportantColumns) {
  Trained trained = Example();
  trained.importance.assign(9, {"column", 0.1});
  trained.importance.back().column = "ninth";
  EXPECT_THAT(TrainingText(trained), Not(HasSubstr("ninth")));
  trained.importance.resize(7);
  trained.importance.push_back({"eighth", 0.05});
  EXPECT_THAT(TrainingText(trained), HasSubstr("eighth  5.0 %"));
}

TEST(TrainingText, SaysThatTheRooflineWasBetter) {
  Trained trained = Example();
  trained.roofline_only = true;
  trained.fastest = {};
  const std::string text = TrainingText(trained);
  EXPECT_THAT(text, HasSubstr("the trees are worse than the roofline alone"));
  EXPECT_THAT(text, Not(HasSubstr("gain")));
  EXPECT_THAT(text, Not(HasSubstr("fastest device")));
}

TEST(TrainingJson, HasEveryNumber) {
  Json json = TrainingToJson(Example());
  EXPECT_EQ(json["rows"], 12);
  EXPECT_EQ(json["networks"], 1);
  EXPECT_EQ(json["devices"], (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(json["table_sha256"], "abc");
  EXPECT_EQ(json["radius_log"], 0.5);
  EXPECT_EQ(json["fastest_device"]["cases"], 1200);
  EXPECT_EQ(json["fastest_device"]["right"], 1116);
  EXPECT_EQ(json["importance"][1]["column"], "cpus");
  EXPECT_EQ(json["importance"][1]["gain"], 0.25);
  const Json& one = json["validations"][0];
  EXPECT_EQ(one["predictor"], "mete");
  EXPECT_EQ(one["protocol"], "unseen network");
  EXPECT_EQ(one["coverage"], 0.9);
  EXPECT_EQ(one["errors"], Json({{"rows", 12},
                                 {"mean_absolute", 0.002},
                                 {"root_mean_square", 0.003},
                                 {"r2", 0.987},
                                 {"median_relative", 0.099},
                                 {"within_10_percent", 0.1},
                                 {"within_20_percent", 0.5},
                                 {"within_25_percent", 0.75},
                                 {"within_factor_2", 1.0}}));
  EXPECT_FALSE(json["validations"][1].contains("errors"));
  EXPECT_FALSE(json["validations"][1].contains("coverage"));
}

TEST(TrainingJson, HasNoFastestDeviceWithoutCases) {
  Trained trained = Example();
  trained.fastest = {};
  EXPECT_FALSE(TrainingToJson(trained).contains("fastest_device"));
}

TEST(TrainingCsv, HasALineForEachPredictorThatAnswers) {
  EXPECT_EQ(
      TrainingCsv(Example()),
      "predictor,protocol,rows,mean_absolute,root_mean_square,r2,"
      "median_relative,within_10_percent,within_20_percent,"
      "within_25_percent,coverage\n"
      "mete,unseen network,12,0.002,0.003,0.987,0.099,0.1,0.5,0.75,0.9\n");
}

TEST(HeldOutCsv, HasALineForEachRow) {
  std::vector<LatencyRow> rows = TestRows({.networks = 2, .speeds = {1}});
  rows[3].load_asked = 0.3;
  rows[3].load.reset();
  EXPECT_EQ(
      HeldOutCsv(rows, {.rows = {3}, .truth = {0.5}, .predicted = {0.25}}),
      "network,sha256,device,load_asked,load,measured,predicted\n"
      "net-1,net-1,device-1.000000,0.3,,0.5,0.25\n");
}

TEST(Protocols, HaveNames) {
  EXPECT_EQ(ToString(Protocol::kRandom), "random folds");
  EXPECT_EQ(ToString(Protocol::kDeviceOut), "unseen device");
}

TEST(TrainingText, EachTableHasTheRowsOfItsProtocol) {
  Trained trained = Example();
  trained.validations.push_back(
      {.predictor = "only random", .protocol = Protocol::kRandom});
  const std::string text = TrainingText(trained);
  const size_t first = text.find("only random");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("only random", first + 1), std::string::npos);
}

}  // namespace
}  // namespace mete
