#include "devices/remove_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RemoveDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(store.SaveDevice({.id = "h", .name = "half"}).ok());
  }

  Result<RemovedDevice> Remove(const RemoveDeviceRequest& request) {
    return RemoveDevice(
        request,
        {.store = store,
         .remove_calibration = [this](const std::string& name) -> Status {
           uncalibrated.push_back(name);
           return {};
         }});
  }

  void AddRun(const std::string& id = "01") {
    mete::Run run;
    run.id = id;
    run.device_id = "h";
    ASSERT_TRUE(store.SaveRun(run).ok());
  }

  MemoryRunStore store;
  std::vector<std::string> uncalibrated;
};

TEST_F(RemoveDeviceTest, RemovesTheDeviceAndItsCalibration) {
  auto removed = Remove({.name = "half"});
  ASSERT_TRUE(removed.ok()) << removed.error().message();
  EXPECT_EQ(removed->name, "half");
  EXPECT_EQ(removed->runs, 0u);
  EXPECT_THAT(store.ListDevices().value(), IsEmpty());
  EXPECT_THAT(uncalibrated, ElementsAre("half"));
}

TEST_F(RemoveDeviceTest, KeepsADeviceWithRunsUnlessTheirRemovalIsRequested) {
  AddRun();
  EXPECT_EQ(Remove({.name = "half"}).error().message(),
            "device half has 1 stored run; use --runs to remove it too");
  EXPECT_TRUE(store.FindDevice("half").ok());
  EXPECT_THAT(uncalibrated, IsEmpty());
  EXPECT_EQ(Remove({.name = "half", .with_runs = true})->runs, 1u);
  EXPECT_THAT(store.ListRuns({}).value(), IsEmpty());
}

TEST_F(RemoveDeviceTest, CountsTheRunsThatKeepTheDevice) {
  AddRun("01");
  AddRun("02");
  EXPECT_EQ(Remove({.name = "half"}).error().message(),
            "device half has 2 stored runs; use --runs to remove them too");
}

TEST_F(RemoveDeviceTest, SuggestsTheNearestName) {
  EXPECT_THAT(Remove({.name = "hald"}).error().message(),
              HasSubstr("did you mean 'half'?"));
}

}  // namespace
}  // namespace mete
