#include "collect/show_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_collecting.h"

namespace mete {
namespace {

using testing::SizeIs;

class ShowDeviceTest : public testing::Test {
 protected:
  Result<ShownDevice> Show(const ShowDeviceRequest& request) {
    return ShowDevice(request, platform.ForDevices(), {});
  }

  FakeCollecting platform;
};

TEST_F(ShowDeviceTest, ShowsThisMachineWithoutAName) {
  auto shown = Show({});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  EXPECT_EQ(shown->device.name, "fake");
  EXPECT_EQ(platform.host.speed_measurements, 1);
  EXPECT_FALSE(shown->device.micro.has_value());
}

TEST_F(ShowDeviceTest, RefreshMeasuresTheMachineAndTheEngineAgain) {
  platform.script.latency = [](const std::string& network) {
    return network == "micro-chain" ? 0.0002 : 0.01;
  };
  ASSERT_TRUE(Show({}).ok());
  auto shown = Show({.name = "fake", .refresh = true});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  EXPECT_EQ(platform.host.speed_measurements, 2);
  EXPECT_TRUE(shown->device.micro.has_value());
  EXPECT_EQ(shown->warnings, std::vector<std::string>());
}

TEST_F(ShowDeviceTest, RefreshWarnsOnABusyMachine) {
  platform.script.latency = [](const std::string& network) {
    return network == "micro-chain" ? 0.0002 : 0.01;
  };
  platform.host.environment.load_average = 3.2;
  auto shown = Show({.refresh = true});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  ASSERT_EQ(shown->warnings.size(), 1u);
  EXPECT_EQ(shown->warnings[0],
            "this machine is busy (load average 3.2 on 4 cores), so the "
            "measured speeds may be too low; repeat this when it is idle");
}

// Each round measures gemm, conv, depthwise, element-wise and chain with one
// thread, then with all.
TEST_F(ShowDeviceTest, RefreshWarnsWhenMoreThreadsAreSlower) {
  int gemms = 0;
  platform.script.latency = [&](const std::string& network) {
    if (network == "micro-chain") return 0.0002;
    if (network != "micro-gemm") return 0.01;
    return ++gemms % 2 == 1 ? 0.01 : 0.05;
  };
  auto shown = Show({.refresh = true});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  ASSERT_EQ(shown->warnings.size(), 1u);
  EXPECT_TRUE(shown->warnings[0].starts_with("4 threads are slower than 1"))
      << shown->warnings[0];
}

TEST_F(ShowDeviceTest, RefreshWarnsWithoutAnEngine) {
  platform.no_engine = Unavailable("there is no ONNX Runtime");
  auto shown = Show({.refresh = true});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  EXPECT_EQ(shown->warnings,
            std::vector<std::string>{
                "the engine was not measured: there is no ONNX Runtime"});
}

TEST_F(ShowDeviceTest, AnotherMachineCanBeShownButNotRefreshed) {
  ASSERT_TRUE(platform.store.SaveDevice({.id = "p", .name = "pi"}).ok());
  EXPECT_EQ(Show({.name = "pi"})->device.id, "p");
  EXPECT_EQ(Show({.name = "pi", .refresh = true}).error().message(),
            "--refresh: 'pi' is another machine; run mete there");
}

TEST_F(ShowDeviceTest, AReadOnlyStoreIsShownAsItIs) {
  ASSERT_TRUE(Show({}).ok());
  platform.store.read_only = true;
  auto here = Show({});
  ASSERT_TRUE(here.ok()) << here.error().message();
  EXPECT_EQ(here->device.name, "fake");
  EXPECT_TRUE(Show({.name = "fake"}).ok());
  EXPECT_THAT(*ListAllDevices(platform.ForDevices()), SizeIs(1));
  EXPECT_FALSE(Show({.refresh = true}).ok());
}

TEST_F(ShowDeviceTest, AReadOnlyStoreWithoutThisMachineHasOnlyTheOthers) {
  ASSERT_TRUE(
      platform.store.SaveDevice(Device{.id = "x", .name = "elsewhere"}).ok());
  platform.store.read_only = true;
  EXPECT_TRUE(Show({.name = "elsewhere"}).ok());
  EXPECT_THAT(*ListAllDevices(platform.ForDevices()), SizeIs(1));
  auto here = Show({});
  ASSERT_FALSE(here.ok());
  EXPECT_EQ(here.error().message(), "the store is read-only");
  EXPECT_EQ(platform.host.speed_measurements, 0);
}

TEST_F(ShowDeviceTest, ListIncludesThisMachine) {
  auto devices = ListAllDevices(platform.ForDevices());
  ASSERT_TRUE(devices.ok()) << devices.error().message();
  ASSERT_THAT(*devices, SizeIs(1));
  EXPECT_EQ(devices->front().name, "fake");
}

}  // namespace
}  // namespace mete
