#include "linux/mount_table.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using MountTable = EmptyMachine;

TEST_F(MountTable, ReadsPathsWithBlanks) {
  Put("/proc/self/mountinfo",
      "24 22 8:2 /sub /mnt/my\\040disk rw shared:7 - xfs /dev/sda2 rw,quota\n");
  auto mounts = ReadMounts(root);
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].top, "/sub");
  EXPECT_EQ(mounts[0].point, "/mnt/my disk");
  EXPECT_EQ(mounts[0].type, "xfs");
  EXPECT_EQ(mounts[0].device, "/dev/sda2");
  EXPECT_EQ(mounts[0].options, "rw,quota");
}

// As in a container that has the machine's / mounted.
TEST_F(MountTable, ListsOnlyMountsBelowTheRoot) {
  const std::string host = folder.path().string();
  Put("/proc/self/mountinfo",
      "1 0 0:30 / / rw - overlay overlay rw\n"
      "2 1 0:31 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
      "3 1 8:1 / " +
          host +
          " ro - ext4 /dev/sda1 rw\n"
          "4 3 8:2 / " +
          host + "/boot ro - ext4 /dev/sda2 rw\n");
  auto mounts = ReadMounts(root);
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[0].point, "/");
  EXPECT_EQ(mounts[1].point, "/boot");
}

TEST_F(MountTable, SkipsBrokenLines) {
  Put("/proc/self/mountinfo",
      "1 0 0:30 / /\n\nx - \n- - -\n"
      "1 0 0:30 / / - xfs /dev/sda1 rw\n"
      "1 0 0:30 / / rw - xfs /dev/sda1\n");
  EXPECT_TRUE(ReadMounts(root).empty());
}

TEST_F(MountTable, ReadsALineWithoutOptionalFields) {
  Put("/proc/self/mountinfo", "1 0 0:30 / / rw - xfs /dev/sda1 rw\n");
  auto mounts = ReadMounts(root);
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].type, "xfs");
}

TEST_F(MountTable, KeepsBackslashesThatBeginNoNumber) {
  for (const auto& [escaped, plain] :
       std::vector<std::pair<std::string, std::string>>{
           {"/\\134", "/\\"},
           {"/\\177\\060",
            "/\x7f"
            "0"},
           {"/\\04", "/\\04"},
           {"/\\840a", "/\\840a"},
           {"/\\080a", "/\\080a"},
           {"/\\048a", "/\\048a"},
           {"/\\/40a", "/\\/40a"}}) {
    Put("/proc/self/mountinfo", "1 0 0:30 / " + escaped + " rw - xfs x rw\n");
    auto mounts = ReadMounts(root);
    ASSERT_EQ(mounts.size(), 1u);
    EXPECT_EQ(mounts[0].point, plain);
  }
}

}  // namespace
}  // namespace mete
