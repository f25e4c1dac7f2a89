#include "linux/host_usage_reader.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;
using HostUsageReaderTest = EmptyMachine;

HostUsage ReadUsage(const SystemRoot& root) {
  return HostUsageReader(root).Read(seconds(0));
}

TEST_F(HostUsageReaderTest, ListsStorageButNoDevicesThatPassBytesOn) {
  HostUsage usage = ReadUsage(Recorded("cgroup-v2"));
  ASSERT_EQ(usage.disks.size(), 1u);
  EXPECT_EQ(usage.disks[0].name, "nvme0n1");
}

TEST_F(HostUsageReaderTest, ReadsEveryPartOfADesktop) {
  HostUsage usage = ReadUsage(Recorded("x86"));
  EXPECT_EQ(usage.cores.size(), 4u);
  EXPECT_EQ(usage.frequencies.size(), 4u);
  EXPECT_EQ(usage.temperatures.size(), 5u);
  EXPECT_FALSE(usage.energy.empty());
  EXPECT_TRUE(usage.memory.used.has_value());
  EXPECT_EQ(usage.interfaces.size(), 2u);
  ASSERT_TRUE(usage.pressure.cpu.some && usage.pressure.memory.some &&
              usage.pressure.io.full);
  EXPECT_EQ(usage.pressure.io.full->total, microseconds(29385450));
}

TEST_F(HostUsageReaderTest, ReadsTheSensorsOfAJetson) {
  HostUsage usage = ReadUsage(Recorded("jetson-orin"));
  EXPECT_EQ(usage.cores.size(), 4u);  // 6, two of them off
  EXPECT_EQ(usage.frequencies.size(), 4u);
  EXPECT_EQ(usage.temperatures.size(), 4u);
  EXPECT_EQ(usage.rails.size(), 3u);
}

TEST_F(HostUsageReaderTest, IsEmptyAndNotZeroOnATreeWithoutFiles) {
  HostUsage usage = ReadUsage(root);
  EXPECT_TRUE(usage.cores.empty());
  EXPECT_EQ(usage.memory.used, std::nullopt);
  EXPECT_TRUE(usage.interfaces.empty());
  EXPECT_TRUE(usage.disks.empty());
  EXPECT_FALSE(usage.pressure.memory.some.has_value());
}

TEST_F(HostUsageReaderTest, FindsASensorThatIsPluggedInAFewSecondsLater) {
  HostUsageReader reader(root);
  EXPECT_TRUE(reader.Read(seconds(100)).temperatures.empty());
  Put("/sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
  Put("/sys/class/thermal/thermal_zone0/temp", "48562\n");
  EXPECT_TRUE(reader.Read(seconds(104)).temperatures.empty());
  EXPECT_EQ(reader.Read(seconds(105)).temperatures.size(), 1u);
}

TEST_F(HostUsageReaderTest, OmitsASensorThatWasUnplugged) {
  Put("/sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
  Put("/sys/class/thermal/thermal_zone0/temp", "48562\n");
  HostUsageReader reader(root);
  EXPECT_EQ(reader.Read(seconds(0)).temperatures.size(), 1u);
  std::filesystem::remove_all(root.Locate("/sys/class/thermal"));
  EXPECT_TRUE(reader.Read(seconds(5)).temperatures.empty());
}

}  // namespace
}  // namespace mete
