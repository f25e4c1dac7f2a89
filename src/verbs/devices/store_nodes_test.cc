#include "devices/store_nodes.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

Device Board() {
  Device device{.id = "uuid-1", .name = "pi"};
  device.facts.cores = 4;
  device.facts.board = "Raspberry Pi 4 Model B Rev 1.4";
  return device;
}

TEST(StoreNodes, MakesANodeOfEveryDevice) {
  MemoryRunStore store;
  FakeClock clock;
  ASSERT_TRUE(store.SaveDevice(Board()).ok());
  auto snapshot = StoreNodes(store, clock).Nodes();
  ASSERT_TRUE(snapshot.ok());
  ASSERT_EQ((*snapshot)->nodes.size(), 1u);
  const ClusterNode& node = (*snapshot)->nodes[0];
  EXPECT_EQ(node.name, "pi");
  EXPECT_EQ(node.uuid, "uuid-1");
  EXPECT_EQ(node.device_model, "Raspberry Pi 4 Model B Rev 1.4");
  EXPECT_FALSE(node.load.has_value());
  EXPECT_FALSE(node.unknown.has_value());
  EXPECT_EQ((*snapshot)->taken_at, clock.Wall());
}

TEST(StoreNodes, EmulatedDeviceKeepsItsLimits) {
  Device device = Board();
  device.emulated = true;
  device.emulation = Emulation{.limits = {.memory = Mebibytes(512)}};
  ClusterNode node = ToNode(device);
  EXPECT_TRUE(node.emulated);
  EXPECT_EQ(node.limits->memory, Mebibytes(512));
}

TEST(StoreNodes, DeviceWithoutCoreCountIsUnknown) {
  EXPECT_TRUE(ToNode({.name = "x"}).unknown.has_value());
}

}  // namespace
}  // namespace mete
