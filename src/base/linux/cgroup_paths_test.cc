#include "linux/cgroup_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using CgroupPathsTest = EmptyMachine;

TEST_F(CgroupPathsTest, AreOnePerControllerUnderCgroupV1) {
  CgroupPaths paths = FindCgroupPaths(Recorded("cgroup-v1"), 4242);
  ASSERT_TRUE(paths.memory && paths.cpu && paths.cpuacct && paths.cpuset);
  ASSERT_TRUE(paths.pids && paths.blkio);
  EXPECT_EQ(paths.memory->version, 1);
  EXPECT_EQ(paths.memory->folder, "/sys/fs/cgroup/memory/mete/run-1");
  EXPECT_EQ(paths.cpu->folder, "/sys/fs/cgroup/cpu/mete/run-1");
  EXPECT_EQ(paths.cpuacct->folder, "/sys/fs/cgroup/cpuacct/mete/run-1");
  EXPECT_EQ(paths.cpuset->folder, "/sys/fs/cgroup/cpuset/");
  EXPECT_EQ(paths.pids->folder, "/sys/fs/cgroup/pids/mete/run-1");
  EXPECT_EQ(paths.blkio->folder, "/sys/fs/cgroup/blkio/mete/run-1");
}

TEST_F(CgroupPathsTest, AreAllTheSameUnderCgroupV2) {
  CgroupPaths paths = FindCgroupPaths(Recorded("cgroup-v2"), 4242);
  const char* own = "/sys/fs/cgroup/mete.slice/run-1.scope";
  ASSERT_TRUE(paths.memory && paths.cpuacct && paths.blkio && paths.unified);
  EXPECT_EQ(paths.memory->version, 2);
  EXPECT_EQ(paths.memory->folder, own);
  EXPECT_EQ(paths.cpuacct->folder, own);
  EXPECT_EQ(paths.blkio->folder, own);
  EXPECT_EQ(*paths.unified, own);
}

TEST_F(CgroupPathsTest, OmitTheRootOfAnEmptyV2HierarchyNextToV1) {
  EXPECT_FALSE(FindCgroupPaths(Recorded("cgroup-v1"), 4242).unified);
}

TEST_F(CgroupPathsTest, KeepTheV2CgroupOfAHybridHost) {
  Put("/proc/7/cgroup", "4:memory:/user.slice\n0::/user.slice/app.scope\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "32 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  CgroupPaths paths = FindCgroupPaths(root, 7);
  ASSERT_TRUE(paths.memory && paths.unified && paths.pids);
  EXPECT_EQ(paths.memory->version, 1);
  EXPECT_EQ(*paths.unified, "/sys/fs/cgroup/unified/user.slice/app.scope");
  EXPECT_EQ(paths.pids->version, 2);
}

TEST_F(CgroupPathsTest, AreAbsentForAProcessThatHasEnded) {
  CgroupPaths paths = FindCgroupPaths(Recorded("cgroup-v1"), 4243);
  EXPECT_FALSE(paths.memory || paths.cpu || paths.cpuacct || paths.unified);
}

TEST_F(CgroupPathsTest, ListTheControllersOfEachMount) {
  auto mounts = FindCgroupMounts(Recorded("jetson-nano"));
  ASSERT_EQ(mounts.size(), 8u);
  EXPECT_EQ(mounts[0].version, 2);
  EXPECT_THAT(mounts[0].controllers, IsEmpty());
  EXPECT_THAT(mounts[1].controllers, IsEmpty());  // name=systemd
  EXPECT_EQ(mounts[3].point, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_THAT(mounts[3].controllers, ElementsAre("cpu", "cpuacct"));
}

TEST_F(CgroupPathsTest, ListTheControllersOfTheUnifiedHierarchy) {
  auto mounts = FindCgroupMounts(Recorded("cgroup-v2"));
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_THAT(mounts[0].controllers, Contains("io"));
}

TEST_F(CgroupPathsTest, MayContainBlanksAndColons) {
  Put("/proc/7/cgroup", "0::/a b/c:d\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(FindCgroupPaths(root, 7).unified, "/my groups/a b/c:d");
}

TEST_F(CgroupPathsTest, OfTheRootOfAContainersMountIsTheMountItself) {
  const CgroupMount mount{.version = 1,
                          .top = "/docker/abc",
                          .point = "/sys/fs/cgroup/memory",
                          .controllers = {"memory"}};
  EXPECT_EQ(FolderIn(mount, "/docker/abc"), "/sys/fs/cgroup/memory");
  EXPECT_EQ(FolderIn(mount, "/docker/abc/x"), "/sys/fs/cgroup/memory/x");
  EXPECT_EQ(FolderIn(mount, "/docker/abcd"),
            "/sys/fs/cgroup/memory/docker/abcd");
  EXPECT_EQ(FolderIn(mount, "/.."), std::nullopt);
  EXPECT_EQ(FolderIn(mount, "/../other"), std::nullopt);
}

TEST_F(CgroupPathsTest, HaveNoControllerForOptionsAndNamedHierarchies) {
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /a ro - cgroup cgroup ro,xattr,name=systemd\n");
  auto mounts = FindCgroupMounts(root);
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_THAT(mounts[0].controllers, IsEmpty());
}

TEST_F(CgroupPathsTest, AreReadFromCompleteLinesOnly) {
  Put("/proc/7/cgroup",
      "none\n4:memory\n1:name=systemd:/a\n5:pids:/b\n0::/c\n");
  auto found = ReadCgroupMembership(root, "/proc/7/cgroup");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT(found[0].controllers, IsEmpty());
  EXPECT_EQ(found[0].group, "/a");
  EXPECT_THAT(found[1].controllers, ElementsAre("pids"));
  EXPECT_FALSE(found[1].unified);
  EXPECT_THAT(found[2].controllers, IsEmpty());
  EXPECT_TRUE(found[2].unified);
}

TEST_F(CgroupPathsTest, OfTheRootOfAPureV2HierarchyIsTheMount) {
  Put("/proc/7/cgroup", "0::/\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  CgroupPaths paths = FindCgroupPaths(root, 7);
  ASSERT_TRUE(paths.unified && paths.memory);
  EXPECT_EQ(*paths.unified, "/sys/fs/cgroup/");
  EXPECT_EQ(paths.memory->version, 2);
}

TEST_F(CgroupPathsTest, OfAControllerThatIsNotMountedAreAbsent) {
  Put("/proc/7/cgroup", "4:memory:/a\n0::/a\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  CgroupPaths paths = FindCgroupPaths(root, 7);
  EXPECT_FALSE(paths.memory);
  EXPECT_TRUE(paths.cpu);
}

}  // namespace
}  // namespace mete
