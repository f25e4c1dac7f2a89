#include "cli/calibrate_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "predict/bundled_predictors.h"
#include "predict/predictor_files.h"
#include "tests/fakes/fake_collecting.h"

namespace mete {
namespace {

using testing::StartsWith;

class CalibrateCommandTest : public testing::Test {
 protected:
  CommandRun Calibrate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "calibrate");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddCalibrateCommand(root, verbs, [&]() -> Result<CalibrateDependencies> {
        return CalibrateDependencies{
            .collecting = platform.Get(),
            .trained_predictor =
                [this] {
                  return LoadFullPredictor(
                      folder.path(),
                      {.full = kBundledFull, .counts = kBundledCounts});
                },
            .folder = folder.path()};
      });
    });
  }

  FakeCollecting platform;
  ScratchFolder folder = ScratchFolder::Create().value();
};

// Every network takes the same time here, so runs of some teach nothing about
// the others.
TEST_F(CalibrateCommandTest, ACalibrationThatDoesNotHelpIsNotSaved) {
  platform.AddDevice("half");
  CommandRun run = Calibrate({"half", "--networks", "3", "-o", "csv"});
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_THAT(
      run.out,
      StartsWith("device,runs,median_relative_before,median_relative_after,"
                 "saved\nhalf,3,"));
  EXPECT_THAT(run.out, testing::EndsWith(",false\n"));
  EXPECT_THAT(run.err, StartsWith("warning: not saved: "));
}

TEST_F(CalibrateCommandTest, AnUnknownDeviceIsAnError) {
  CommandRun run = Calibrate({"nobody"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, StartsWith("mete: no device is named 'nobody'"));
  EXPECT_EQ(run.out, "");
}

TEST_F(CalibrateCommandTest, OneNetworkIsTooFew) {
  EXPECT_EQ(Calibrate({"half", "--networks", "1"}).code, 2);
}

}  // namespace
}  // namespace mete
