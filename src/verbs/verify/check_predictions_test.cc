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

  void AskAboutTwo() {
    paths.push_back(folder.path() / "big.onnx");
    ASSERT_TRUE(WriteFileAtomically(paths[1], "softmax").ok());
    PredictorSet set;
    set.full = std::make_shared<FakePredictor>();
    answers =
        AnswerAll(set, {.nodes = {{.name = "half", .facts = {.cores = 1}}}},
                  AskAboutFiles({.paths = paths}, outside.files).value(),
                  Objective::kLatency, 1);
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
  EXPECT_DOUBLE_EQ(checks->front().measured.value(), 0.01);
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
            "--check: no network completed on any device: relu on half: out of "
            "memory: killed by the kernel at the memory limit");
}

TEST_F(CheckPredictionsTest, SaysWhyOneNetworkDidNotComplete) {
  AskAboutTwo();
  outside.script.latency = [](const std::string& network) {
    return network == "big" ? std::nullopt : std::optional(0.01);
  };
  auto checks = Check();
  ASSERT_TRUE(checks.ok()) << checks.error().message();
  ASSERT_THAT(*checks, SizeIs(2));
  EXPECT_DOUBLE_EQ((*checks)[0].measured.value(), 0.01);
  EXPECT_FALSE((*checks)[1].measured);
  EXPECT_FALSE((*checks)[1].inside());
  EXPECT_EQ((*checks)[1].failure,
            "out of memory: killed by the kernel at the memory limit");
}

// A run of last week says nothing about this one.
TEST_F(CheckPredictionsTest, AnOlderRunDoesNotStandInForOneThatFailed) {
  ASSERT_TRUE(Check().ok());
  outside.clock.Advance(std::chrono::seconds(1));
  outside.script.latency = [](const std::string&) { return std::nullopt; };
  EXPECT_FALSE(Check().ok());
}

TEST_F(CheckPredictionsTest, RemembersTheLoadThatWasAssumed) {
  EXPECT_FALSE(Check()->front().assumed_load);
  answers.nodes.nodes[0].load = 0.4;
  EXPECT_EQ(Check(0.4)->front().assumed_load, 0.4);
}

TEST_F(CheckPredictionsTest, FeedsTheGivenValues) {
  answers.networks[0].question.inputs = {"input=ones"};
  ASSERT_TRUE(Check().ok());
  EXPECT_EQ(outside.script.inputs, std::vector<std::string>{"input=ones"});
}

TEST_F(CheckPredictionsTest, FailsWhenStopped) {
  stop.request_stop();
  EXPECT_EQ(Check().error().code(), ErrorCode::kInterrupted);
}

TEST(ChecksCsv, ListsMeasuredAndPredictedTimes) {
  CheckedPrediction inside{.network = "net",
                           .device = "small",
                           .predicted = {.value = 2, .low = 1, .high = 4},
                           .assumed_load = 0.4,
                           .measured = 3,
                           .load = 0.5};
  CheckedPrediction outside = inside;
  outside.measured = 5;
  CheckedPrediction failed = inside;
  failed.assumed_load.reset();
  failed.measured.reset();
  failed.failure = "crashed: signal 9";
  EXPECT_EQ(ChecksCsv({inside, outside, failed}),
            "network,node,load,seconds,seconds_low,seconds_high,"
            "measured_seconds,in_interval,assumed_load,failure\n"
            "net,small,0.5,2,1,4,3,true,0.4,\n"
            "net,small,0.5,2,1,4,5,false,0.4,\n"
            "net,small,,2,1,4,,,,crashed: signal 9\n");
}

TEST(ChecksText, ShowsTheLoadThatWasAssumedAndTheOneThatWasSeen) {
  CheckedPrediction check{.network = "net",
                          .device = "small",
                          .predicted = {.value = 2, .low = 1, .high = 4},
                          .assumed_load = 0.4,
                          .measured = 3,
                          .load = 0.75};
  EXPECT_THAT(ChecksText({check}), HasSubstr("40 % / 75 %"));
  check.assumed_load.reset();
  EXPECT_THAT(ChecksText({check}), HasSubstr("? / 75 %"));
}

TEST(ChecksJson, HasNoTimeForANetworkThatDidNotComplete) {
  Json json = ChecksToJson({{.network = "net",
                             .device = "small",
                             .predicted = {.value = 2, .low = 1, .high = 4},
                             .failure = "crashed: signal 9"}});
  EXPECT_EQ(json[0]["failure"], "crashed: signal 9");
  EXPECT_FALSE(json[0].contains("measured_seconds"));
  EXPECT_FALSE(json[0].contains("in_interval"));
  EXPECT_FALSE(json[0].contains("load"));
}

}  // namespace
}  // namespace mete
