#include "linux/block_devices.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using BlockDevices = EmptyMachine;

TEST_F(BlockDevices, AreListedWholeWithTheirBytes) {
  auto devices = ReadBlockDevices(Recorded("x86"));
  ASSERT_EQ(devices.size(), 2u);  // no sda1, no sda2
  EXPECT_EQ(devices[0].name, "sda");
  EXPECT_EQ(devices[0].number, "8:0");
  EXPECT_TRUE(devices[0].storage);
  EXPECT_EQ(devices[0].read, Bytes{4186842 * 512ULL});
  EXPECT_EQ(devices[0].written, Bytes{9631544 * 512ULL});
}

TEST_F(BlockDevices, AreNoStorageWhenTheyPassBytesOnOrUseMemory) {
  auto devices = ReadBlockDevices(Recorded("cgroup-v2"));
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[0].name, "nvme0n1");
  EXPECT_TRUE(devices[0].storage);
  EXPECT_EQ(devices[1].name, "dm-0");
  EXPECT_FALSE(devices[1].storage);
  EXPECT_EQ(devices[2].name, "zram0");
  EXPECT_FALSE(devices[2].storage);
}

TEST_F(BlockDevices, MayHaveASlashInTheirName) {
  Put("/proc/diskstats", "104 0 cciss/c0d0 1 0 8 0 1 0 16 0 0 0 0\n");
  Put("/sys/block/cciss!c0d0/size", "100\n");
  auto devices = ReadBlockDevices(root);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].written, Bytes{8192});
}

TEST_F(BlockDevices, AreNoneWithoutTheFileOrWithAShortLine) {
  EXPECT_TRUE(ReadBlockDevices(root).empty());
  Put("/proc/diskstats", "8 0 sda 1 0 8\n");
  Put("/sys/block/sda/size", "100\n");
  EXPECT_TRUE(ReadBlockDevices(root).empty());
}

TEST_F(BlockDevices, AreReadFromALineOfTenWords) {
  Put("/proc/diskstats", "8 0 sda 1 0 8 0 1 0 16\n");
  Put("/sys/block/sda/size", "100\n");
  auto devices = ReadBlockDevices(root);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].read, Bytes{4096});
}

TEST_F(BlockDevices, WithOneUnreadableCounterAreLeftOut) {
  Put("/sys/block/sda/size", "100\n");
  for (const char* line : {"8 0 sda 1 0 ? 0 1 0 16 0 0 0 0\n",
                           "8 0 sda 1 0 8 0 1 0 ? 0 0 0 0\n"}) {
    Put("/proc/diskstats", line);
    EXPECT_TRUE(ReadBlockDevices(root).empty()) << line;
  }
}

TEST_F(BlockDevices, KeepTheirKindUntilItIsForgotten) {
  Put("/proc/diskstats", "8 0 sda 1 0 8 0 1 0 16 0 0 0 0\n");
  Put("/sys/block/sda/size", "100\n");
  BlockDeviceReader reader(root);
  EXPECT_TRUE(reader.Read().at(0).storage);
  Put("/sys/block/sda/slaves/sdb", "");
  EXPECT_TRUE(reader.Read().at(0).storage);
  reader.Forget();
  EXPECT_FALSE(reader.Read().at(0).storage);
}

TEST_F(BlockDevices, OfUnknownNumbersCountAsStorage) {
  Put("/proc/diskstats",
      "8 0 sda 1 0 8 0 1 0 16 0 0 0 0\n253 0 dm-0 1 0 8 0 1 0 16 0 0 0 0\n");
  Put("/sys/block/sda/size", "100\n");
  Put("/sys/block/dm-0/slaves/sda", "");
  StorageDevices devices(root);
  EXPECT_TRUE(devices.Has("8:0"));
  EXPECT_FALSE(devices.Has("253:0"));
  EXPECT_TRUE(devices.Has("9:9"));
  // The answer is remembered.
  Put("/sys/block/sda/slaves/sdb", "");
  EXPECT_TRUE(devices.Has("8:0"));
}

}  // namespace
}  // namespace mete
