#include "devices/find_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;

class DevicesHereTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(store.SaveDevice(here).ok());
    ASSERT_TRUE(store.SaveDevice({.id = "p", .name = "pi"}).ok());
    Device half{.id = "h", .name = "half", .emulated = true};
    half.emulation = Emulation{.host_id = "d"};
    ASSERT_TRUE(store.SaveDevice(half).ok());
  }

  std::vector<std::string> Names(const std::string& text) {
    std::vector<std::string> names;
    const auto found = DevicesHere(store, here, text);
    for (const Device& device : *found) {
      names.push_back(device.name);
    }
    return names;
  }

  Device here{.id = "d", .name = "desk"};
  MemoryRunStore store;
};

TEST_F(DevicesHereTest, IsThisMachineWithoutAName) {
  EXPECT_THAT(Names(""), ElementsAre("desk"));
}

TEST_F(DevicesHereTest, AllMeansThisMachineAndTheDevicesItEmulates) {
  EXPECT_THAT(Names("all"), ElementsAre("desk", "half"));
}

TEST_F(DevicesHereTest, RemovesDuplicates) {
  EXPECT_THAT(Names("half,h,desk"), ElementsAre("half", "desk"));
}

TEST_F(DevicesHereTest, RejectsAnotherMachine) {
  auto devices = DevicesHere(store, here, "pi");
  ASSERT_FALSE(devices.ok());
  EXPECT_EQ(devices.error().message(),
            "--device pi is not this machine (desk) or one it emulates; run "
            "mete there");
}

TEST_F(DevicesHereTest, SuggestsTheNearestName) {
  EXPECT_EQ(DevicesHere(store, here, "hald").error().message(),
            "no device is named 'hald'; did you mean 'half'?");
  EXPECT_EQ(DevicesHere(store, here, "nobody").error().message(),
            "no device is named 'nobody'; list them with mete devices list");
}

}  // namespace
}  // namespace mete
