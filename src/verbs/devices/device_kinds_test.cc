#include "devices/device_kinds.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(DeviceKinds, FindsABoardInAllItsSpellings) {
  for (const char* name : {"Raspberry Pi 4B", "raspberry pi 4 model b",
                           "Raspberry Pi 4 Model B Rev 1.4", "RaspberryPi4B"}) {
    auto node = FindKind(name, {});
    ASSERT_TRUE(node.has_value()) << name;
    EXPECT_EQ(node->facts.cpu_model, "Cortex-A72") << name;
  }
  EXPECT_EQ(FindKind("NVIDIA Jetson Nano Developer Kit", {})->facts.cpu_model,
            "Cortex-A57");
  EXPECT_EQ(FindKind("Raspberry Pi 3 Model B Plus", {})->device_model,
            "Raspberry Pi 3B+");
}

TEST(DeviceKinds, DoesNotMatchOtherNames) {
  for (const char* name : {"", " ", "toaster", "Raspberry", "Pi", "0",
                           "Raspberry Pi", "Jetson", "x86_64"}) {
    EXPECT_FALSE(FindKind(name, {}).has_value()) << name;
  }
}

TEST(DeviceKinds, MeasuredNodesTakePrecedenceOverDataSheets) {
  std::vector<ClusterNode> nodes(2);
  nodes[0] = {.name = "a", .device_model = "Raspberry Pi 4 Model B Rev 1.1"};
  nodes[1] = {.name = "b", .device_model = "Raspberry Pi 4 Model B Rev 1.4"};
  nodes[1].micro = MicroMeasurements{};
  EXPECT_EQ(FindKind("Raspberry Pi 4B", nodes)->name, "b");
  nodes[1].unknown = "no load";
  EXPECT_EQ(FindKind("Raspberry Pi 4B", nodes)->name, "a");
  EXPECT_EQ(FindKind("A", nodes)->name, "a");
}

}  // namespace
}  // namespace mete
