#include "cli/devices_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "tests/fakes/fake_collecting.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DevicesCommandTest : public testing::Test {
 protected:
  DevicesCommandTest() {
    platform.script.delivered = [](double cpus) { return std::min(cpus, 0.5); };
    platform.script.latency = [](const std::string& network) {
      return network == "micro-chain" ? 0.0002 : 0.01;
    };
  }

  CommandRun Devices(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "devices");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddDevicesCommand(root, verbs, [&]() -> Result<DevicesDependencies> {
        return DevicesDependencies{
            .measuring = platform.ForDevices(),
            .removing = {.store = platform.store,
                         .remove_calibration =
                             [this](const std::string& name) -> Status {
                           uncalibrated.push_back(name);
                           return {};
                         }}};
      });
    });
  }

  FakeCollecting platform;
  std::vector<std::string> uncalibrated;
};

TEST_F(DevicesCommandTest, ListIncludesThisMachine) {
  CommandRun run = Devices({"list", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"name\": \"fake\""));
}

TEST_F(DevicesCommandTest, AddCreatesAnEmulatedDeviceAndRemoveDeletesIt) {
  CommandRun added = Devices({"add", "half", "--emulate", "--cpus", "0.5",
                              "--memory", "1Gi", "-o", "json"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("\"name\": \"half\""));
  EXPECT_TRUE(platform.store.FindDevice("half")->emulated);
  CommandRun removed = Devices({"remove", "half"});
  EXPECT_EQ(removed.code, 0);
  EXPECT_EQ(removed.err, "removed half (runs: 0)\n");
  EXPECT_FALSE(platform.store.FindDevice("half").ok());
  EXPECT_THAT(uncalibrated, ElementsAre("half"));
}

TEST_F(DevicesCommandTest, AddWithoutEmulateIsAUsageError) {
  CommandRun run = Devices({"add", "half", "--cpus", "1", "--memory", "1Gi"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("mete devices add: --emulate is required"));
}

TEST_F(DevicesCommandTest, AddRejectsANameWithAComma) {
  CommandRun run =
      Devices({"add", "a,b", "--emulate", "--cpus", "0.5", "--memory", "1Gi"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err,
            "mete devices add: invalid name 'a,b': a name must not be empty or "
            "'all' and must not contain commas, slashes or spaces\n");
}

TEST_F(DevicesCommandTest, AddRejectsLimitsTheMachineDoesNotHave) {
  auto complaint = [this](const std::string& cpus, const std::string& memory) {
    CommandRun run =
        Devices({"add", "x", "--emulate", "--cpus", cpus, "--memory", memory});
    EXPECT_EQ(run.code, 2) << run.out;
    return run.err;
  };
  EXPECT_EQ(complaint("0", "1Gi"),
            "mete devices add: --cpus: must be positive\n");
  EXPECT_EQ(complaint("100", "1Gi"),
            "mete devices add: --cpus: this machine has only 4 CPUs\n");
  EXPECT_EQ(complaint("0.5", "0"),
            "mete devices add: --memory: must be positive\n");
  EXPECT_EQ(complaint("0.5", "1Ti"),
            "mete devices add: --memory: this machine has only 8.0 GiB\n");
}

TEST_F(DevicesCommandTest, ShowSuggestsTheNearestNameForAnUnknownDevice) {
  CommandRun run = Devices({"show", "fakr"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: no device is named 'fakr'; did you mean 'fake'?\n");
}

TEST_F(DevicesCommandTest, RefreshWithoutAnEngineWarns) {
  platform.no_engine = Unavailable("there is no ONNX Runtime");
  CommandRun run = Devices({"show", "--refresh"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err,
            "warning: the engine was not measured: there is no ONNX Runtime\n");
  EXPECT_THAT(run.out, HasSubstr("fake"));
}

}  // namespace
}  // namespace mete
