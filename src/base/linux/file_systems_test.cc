#include "linux/file_systems.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using FileSystems = EmptyMachine;

TEST_F(FileSystems, AreThoseOnDisksEachOnce) {
  Put("/proc/self/mountinfo",
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
      "23 22 0:21 / /proc rw - proc proc rw\n"
      "24 22 8:2 / /mnt/my\\040disk rw shared:7 - xfs /dev/sda2 rw\n"
      "25 22 8:2 /sub /a/longer/place/for/it rw - xfs /dev/sda2 rw\n"
      "26 22 0:50 / /net rw - nfs4 server:/export rw\n"
      "27 22 7:1 / /snap/core/1 ro - squashfs /dev/loop1 ro\n");
  auto found = FindFileSystems(root);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].mount_point, "/");
  EXPECT_EQ(found[0].type, "ext4");
  EXPECT_EQ(found[1].mount_point, "/mnt/my disk");
}

TEST_F(FileSystems, AlwaysIncludeTheRoot) {
  Put("/proc/self/mountinfo", "1 0 0:30 / / rw - overlay overlay rw\n");
  auto found = FindFileSystems(root);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].device, "overlay");
}

TEST_F(FileSystems, IncludeARootThatIsNotInTheMountTable) {
  Put("/proc/self/mountinfo", "23 22 0:21 / /proc rw - proc proc rw\n");
  auto found = FindFileSystems(root);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].mount_point, "/");
}

TEST_F(FileSystems, ReportTheirSpace) {
  auto space = ReadSpace(root, "/");
  ASSERT_TRUE(space);
  EXPECT_GT(space->size, Bytes{0});
  EXPECT_LE(space->available, space->size);
  EXPECT_FALSE(ReadSpace(root, "/nowhere"));
}

TEST_F(FileSystems, ListTheLastOneMountedAtAPoint) {
  Put("/proc/self/mountinfo",
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 8:2 / /data rw - ext4 /dev/sda2 rw\n"
      "3 1 8:3 / /data rw - ext4 /dev/sda3 rw\n");
  auto found = FindFileSystems(root);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].device, "/dev/sda3");
}

TEST_F(FileSystems, AtTwoPathsOfTheSameLengthAreListedAtTheFirst) {
  Put("/proc/self/mountinfo",
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 8:2 / /aa rw - ext4 /dev/sda2 rw\n"
      "3 1 8:2 / /bb rw - ext4 /dev/sda2 rw\n"
      "4 1 8:3 / /long rw - ext4 /dev/sda3 rw\n"
      "5 1 8:3 / /c rw - ext4 /dev/sda3 rw\n");
  auto found = FindFileSystems(root);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].mount_point, "/aa");
  EXPECT_EQ(found[2].mount_point, "/c");
}

TEST_F(FileSystems, OnALoopDeviceAreLeftOutEvenAtTheRoot) {
  Put("/proc/self/mountinfo", "1 0 7:0 / / rw - ext4 /dev/loop0 rw\n");
  auto found = FindFileSystems(root);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].device, "");
}

}  // namespace
}  // namespace mete
