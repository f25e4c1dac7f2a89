#include "linux/host_usage.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using HostUsageTest = EmptyMachine;

TEST_F(HostUsageTest, CountsTheTimeOfEveryCore) {
  auto cores = ReadCoreTimes(Recorded("x86"));
  ASSERT_EQ(cores.size(), 4u);
  EXPECT_EQ(cores[1].core, 1);
  EXPECT_EQ(cores[1].user, milliseconds(10) * (1041013 + 821));
  EXPECT_EQ(cores[1].system, milliseconds(10) * (114991 + 12 + 1586));
  EXPECT_EQ(cores[1].idle, milliseconds(3494330));
  EXPECT_EQ(cores[1].waiting, milliseconds(31640));
  EXPECT_EQ(cores[1].stolen, milliseconds(56680));
}

TEST_F(HostUsageTest, KnowsTheNumbersOfCoresWhenSomeAreOff) {
  Put("/proc/stat",
      "cpu  3 0 0 0 0 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\n"
      "cpu3 2 0 0 0 0 0 0 0 0 0\nintr 1 2 3 4 5 6 7 8 9\n");
  auto cores = ReadCoreTimes(root);
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_EQ(cores[1].core, 3);
  EXPECT_EQ(cores[1].user, milliseconds(20));
}

TEST_F(HostUsageTest, CountsMemoryThatCannotBeHad) {
  HostMemory memory = ReadHostMemory(Recorded("x86"));
  EXPECT_EQ(memory.total, Kibibytes(16309396));
  EXPECT_EQ(memory.used, Kibibytes(16309396 - 13350864));
  EXPECT_EQ(memory.swap_total, Kibibytes(1000444));
  EXPECT_EQ(memory.swap_used, Bytes{0});
}

TEST_F(HostUsageTest, DoesNotGuessUsedMemoryOnAnOldKernel) {
  Put("/proc/meminfo", "MemTotal: 1024 kB\nMemFree: 512 kB\n");
  HostMemory memory = ReadHostMemory(root);
  EXPECT_EQ(memory.total, Mebibytes(1));
  EXPECT_EQ(memory.used, std::nullopt);
  EXPECT_EQ(memory.swap_used, std::nullopt);
}

TEST_F(HostUsageTest, CountsBytesOfEveryInterfaceButTheOwnLoop) {
  auto interfaces = ReadInterfaces(Recorded("x86"));
  ASSERT_EQ(interfaces.size(), 2u);
  EXPECT_EQ(interfaces[0].name, "eno1");
  EXPECT_TRUE(interfaces[0].physical);
  EXPECT_EQ(interfaces[0].received, Bytes{1341287821});
  EXPECT_EQ(interfaces[0].sent, Bytes{1528245});
  EXPECT_EQ(interfaces[1].name, "docker0");
  EXPECT_FALSE(interfaces[1].physical);
}

TEST_F(HostUsageTest, ReadsAnInterfaceWhoseNumbersTouchTheColon) {
  Put("/proc/net/dev",
      " face |bytes\n eth0:12345678901 1 0 0 0 0 0 0 77 1 0 0 0 0 0 0\n");
  auto interfaces = ReadInterfaces(root);
  ASSERT_EQ(interfaces.size(), 1u);
  EXPECT_EQ(interfaces[0].received, Bytes{12345678901});
  EXPECT_EQ(interfaces[0].sent, Bytes{77});
}

TEST_F(HostUsageTest, KnowsTheFrequencyOfEveryCoreInOrder) {
  for (const char* core : {"cpu0", "cpu2", "cpu10"}) {
    Put(std::string("/sys/devices/system/cpu/") + core +
            "/cpufreq/scaling_cur_freq",
        "1497600\n");
  }
  Put("/sys/devices/system/cpu/cpufreq/scaling_cur_freq", "1\n");
  auto frequencies = ReadFrequencies(root);
  ASSERT_EQ(frequencies.size(), 3u);
  EXPECT_EQ(frequencies[1].core, 2);
  EXPECT_EQ(frequencies[2].core, 10);
  EXPECT_EQ(frequencies[2].hz, 1.4976e9);
}

TEST_F(HostUsageTest, ListsStorageAndLeavesOutWhatOnlyPassesBytesOn) {
  HostUsage usage = ReadHostUsage(Recorded("cgroup-v2"));
  ASSERT_EQ(usage.disks.size(), 1u);
  EXPECT_EQ(usage.disks[0].name, "nvme0n1");
}

TEST_F(HostUsageTest, GathersEveryPartOfADesktop) {
  HostUsage usage = ReadHostUsage(Recorded("x86"));
  EXPECT_EQ(usage.cores.size(), 4u);
  EXPECT_EQ(usage.frequencies.size(), 4u);
  EXPECT_EQ(usage.temperatures.size(), 5u);
  EXPECT_TRUE(usage.memory.used.has_value());
  EXPECT_EQ(usage.interfaces.size(), 2u);
  ASSERT_TRUE(usage.pressure.cpu.some && usage.pressure.memory.some &&
              usage.pressure.io.full);
  EXPECT_EQ(usage.pressure.io.full->total, microseconds(29385450));
}

TEST_F(HostUsageTest, GathersWhatAJetsonTells) {
  HostUsage usage = ReadHostUsage(Recorded("jetson-orin"));
  EXPECT_EQ(usage.cores.size(), 4u);  // 6, two of them off
  EXPECT_EQ(usage.frequencies.size(), 4u);
  EXPECT_EQ(usage.temperatures.size(), 4u);
}

TEST_F(HostUsageTest, IsEmptyAndNotZeroOnATreeWithoutFiles) {
  HostUsage usage = ReadHostUsage(root);
  EXPECT_TRUE(usage.cores.empty());
  EXPECT_EQ(usage.memory.used, std::nullopt);
  EXPECT_TRUE(usage.interfaces.empty());
  EXPECT_TRUE(usage.disks.empty());
  EXPECT_FALSE(usage.pressure.memory.some.has_value());
}

}  // namespace
}  // namespace mete
