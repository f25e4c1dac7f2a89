#include "verify/check_predictions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/latency_table.h"
#include "predict/predict_networks.h"
#include "tests/fakes/fake_collecting.h"
#include "tests/fakes/fake_predictor.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class CheckPredictionsTest : public testing::Test {
 protected:
  void SetUp() override {
    outside.AddDevice("half");
    paths = {folder.path() / "relu.onnx"};
    ASSERT_TRUE(WriteFileAtomically(paths[0], "relu").ok());
    PredictorSet set;
    set.full = std::make_shared<FakePredictor>();
    answers =
        AnswerAll(set,
                  {.nodes = {{.name = "half", .facts = {.cores = 1}},
                             {.name = "elsewhere", .facts = {.cores = 1}}}},
                  AskAboutFiles({.paths = paths}, outside.files).value(),
                  Objective::kLatency, 1);
  }

  Result<std::vector<CheckedPrediction>> Check(
      std::optional<double> load = std::nullopt) {
    return CheckPredictions({.answers = answers, .paths = paths, .load = load},
                            outside.Get(), {}, stop.get_token());
  }

  FakeCollecting outside;
  ScratchFolder folder = ScratchFolder::Create().value();
  std::vector<std::string> paths;
  Answers answers;
  std::stop_source stop;
};

TEST_F(CheckPredictionsTest, MeasuresOnTheDevicesOfThisMachine) {
  auto checks = Check(0.4);
  ASSERT_TRUE(checks.ok()) << checks.error().message();
  ASSERT_THAT(*checks, SizeIs(1));
  EXPECT_EQ(checks->front().network, "relu");
  EXPECT_EQ(checks->front().device, "half");
  EXPECT_DOUBLE_EQ(checks->front().measured, 0.01);
  EXPECT_NEAR(checks->front().load, 0.4, 1e-6);
}

TEST_F(CheckPredictionsTest, RunsOnIdleDevicesWithoutALoad) {
  auto checks = Check();
  ASSERT_TRUE(checks.ok()) << checks.error().message();
  EXPECT_NEAR(checks->front().load, 0, 1e-6);
}

TEST_F(CheckPredictionsTest, RejectsLoadsReportedByDevices) {
  answers.nodes.nodes[0].load = 0.2;
  EXPECT_THAT(Check().error().message(), HasSubstr("set it with --load"));
}

// The run is stored with its sizes, and is no training data.
TEST_F(CheckPredictionsTest, RunsTheNetworkWithTheSizesOfThePrediction) {
  PredictorSet set;
  set.full = std::make_shared<FakePredictor>();
  answers =
      AnswerAll(set, {.nodes = {{.name = "half", .facts = {.cores = 1}}}},
                AskAboutFiles({.paths = paths, .shapes = {{"input", {3, 4}}}},
                              outside.files)
                    .value(),
                Objective::kLatency, 1);
  auto checks = Check();
  ASSERT_TRUE(checks.ok()) << checks.error().message();
  EXPECT_THAT(*checks, SizeIs(1));
  auto runs = outside.store.ListRuns({}).value();
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].workload.given_shapes,
            std::vector<std::string>{"input=3x4"});
  EXPECT_THAT(LatencyRows(outside.store).value(), SizeIs(0));
}

TEST_F(CheckPredictionsTest, GeneratesNoLoadWhereOneIsPresent) {
  answers.nodes.nodes[0].load = 0.2;
  auto checks = CheckPredictions(
      {.answers = answers, .paths = paths, .load_is_present = true},
      outside.Get(), {}, stop.get_token());
  ASSERT_TRUE(checks.ok()) << checks.error().message();
  EXPECT_NEAR(checks->front().load, 0, 1e-6);
}

TEST_F(CheckPredictionsTest, RejectsEnergy) {
  answers.objective = Objective::kEnergy;
  EXPECT_EQ(Check().error().code(), ErrorCode::kInvalidInput);
}

TEST_F(CheckPredictionsTest, FailsWhenNoDeviceIsOnThisMachine) {
  ASSERT_TRUE(outside.store.RemoveDevice("half").ok());
  EXPECT_THAT(Check().error().message(),
              HasSubstr("none of these devices is on this machine"));
}

TEST_F(CheckPredictionsTest, FailsWhenNothingCompleted) {
  outside.script.latency = [](const std::string&) { return std::nullopt; };
  EXPECT_EQ(Check().error().message(),
            "--check: no network completed on any device");
}

TEST_F(CheckPredictionsTest, FailsWhenStopped) {
  stop.request_stop();
  EXPECT_EQ(Check().error().code(), ErrorCode::kInterrupted);
}

TEST(ChecksCsv, ListsMeasuredAndPredictedTimes) {
  CheckedPrediction inside{.network = "net",
                           .device = "small",
                           .predicted = {.value = 2, .low = 1, .high = 4},
                           .measured = 3,
                           .load = 0.5};
  CheckedPrediction outside = inside;
  outside.measured = 5;
  EXPECT_EQ(ChecksCsv({inside, outside}),
            "network,node,load,seconds,seconds_low,seconds_high,"
            "measured_seconds,in_interval\n"
            "net,small,0.5,2,1,4,3,true\n"
            "net,small,0.5,2,1,4,5,false\n");
}

}  // namespace
}  // namespace mete
