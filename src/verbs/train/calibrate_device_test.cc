#include "train/calibrate_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "collect/latency_table.h"
#include "predict/bundled_predictors.h"
#include "predict/predictor_files.h"
#include "tests/fakes/fake_collecting.h"

namespace mete {
namespace {

using testing::HasSubstr;

class CalibrateDeviceTest : public testing::Test {
 protected:
  Result<DeviceCalibration> Calibrate(const std::string& device) {
    return CalibrateOn(platform, device);
  }

  Result<DeviceCalibration> CalibrateOn(FakeCollecting& on,
                                        const std::string& device) {
    return CalibrateDevice(
        {.device = device, .networks = 4, .mete_version = "test"},
        {.collecting = on.Get(),
         .trained_predictor =
             [this] {
               return LoadFullPredictor(
                   folder.path(),
                   {.full = kBundledFull, .counts = kBundledCounts});
             },
         .folder = folder.path()},
        {}, stop.get_token());
  }

  // What the predictor says about the networks that a calibration runs.
  std::map<std::string, double> PredictedSeconds() {
    FakeCollecting other;
    other.AddDevice("half");
    EXPECT_TRUE(CalibrateOn(other, "half").ok());
    auto base =
        LoadFullPredictor(folder.path(), {.full = kBundledFull}).value();
    std::vector<LatencyRow> rows = LatencyRows(other.store).value();
    std::map<std::string, double> seconds;
    for (const LatencyRow& row : rows) {
      seconds[row.network.name] =
          base->Predict(ToQuestion(row), *ConditionsFor(row)).value;
    }
    return seconds;
  }

  FakeCollecting platform;
  ScratchFolder folder = ScratchFolder::Create().value();
  std::stop_source stop;
};

TEST_F(CalibrateDeviceTest, RunsAsManyNetworksAsRequestedAndSavesTheRows) {
  std::map<std::string, double> seconds = PredictedSeconds();
  platform.AddDevice("half");
  platform.script.latency = [&](const std::string& network) {
    return 3 * seconds.at(network);
  };
  auto done = Calibrate("half");
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done->device, "half");
  EXPECT_EQ(done->runs, 4u);
  EXPECT_GT(done->before, 0);
  EXPECT_TRUE(std::filesystem::exists(done->file));
  EXPECT_EQ(platform.store.ListRuns({.device = "half"})->size(), 4u);
}

// The predictor is exact but for one network: what that one teaches makes all
// the others worse.
TEST_F(CalibrateDeviceTest, SavesNothingThatMakesTheErrorWorse) {
  std::map<std::string, double> seconds = PredictedSeconds();
  seconds.begin()->second *= 50;
  platform.AddDevice("half");
  platform.script.latency = [&](const std::string& network) {
    return seconds.at(network);
  };
  auto done = Calibrate("half");
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_GT(done->after, done->before);
  EXPECT_TRUE(done->file.empty());
  EXPECT_TRUE(FilesIn(folder.path())->empty());
}

TEST_F(CalibrateDeviceTest, DoesNotRepeatStoredRuns) {
  platform.AddDevice("half");
  ASSERT_TRUE(Calibrate("half").ok());
  platform.script.loaded.clear();
  ASSERT_TRUE(Calibrate("half").ok());
  EXPECT_TRUE(platform.script.loaded.empty());
}

TEST_F(CalibrateDeviceTest, FailsWhenTooFewNetworksCompleted) {
  platform.AddDevice("half");
  platform.script.latency = [](const std::string&) { return std::nullopt; };
  EXPECT_EQ(Calibrate("half").error().message(),
            "calibrate: too few networks completed on half");
}

TEST_F(CalibrateDeviceTest, RejectsAnotherMachine) {
  ASSERT_TRUE(platform.store.SaveDevice({.id = "p", .name = "pi"}).ok());
  EXPECT_EQ(Calibrate("pi").error().message(),
            "'pi' is another machine; run mete there");
}

TEST_F(CalibrateDeviceTest, SuggestsTheNearestName) {
  platform.AddDevice("half");
  EXPECT_THAT(Calibrate("hald").error().message(),
              HasSubstr("did you mean 'half'?"));
}

TEST_F(CalibrateDeviceTest, SavesNothingWhenStopped) {
  platform.AddDevice("half");
  stop.request_stop();
  auto done = Calibrate("half");
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kInterrupted);
  EXPECT_TRUE(FilesIn(folder.path())->empty());
}

}  // namespace
}  // namespace mete
