#include "linux/cgroup_trees.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

class CgroupTreesTest : public EmptyMachine {
 protected:
  void PutMounts(const std::string& lines) {
    Put("/proc/self/mountinfo", lines);
  }
};

TEST_F(CgroupTreesTest, AreNoneWithoutMounts) {
  CgroupTrees trees(root);
  EXPECT_EQ(trees.Main(), nullptr);
  EXPECT_EQ(trees.Of(CgroupPart::kMemory), nullptr);
}

TEST_F(CgroupTreesTest, OfVersionOneServeTheirControllersOnly) {
  PutMounts(
      "31 20 0:27 / /cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
      "32 20 0:28 / /memory rw - cgroup cgroup rw,memory\n");
  Put("/cpu/tasks", "");
  Put("/memory/tasks", "");
  CgroupTrees trees(root);
  ASSERT_NE(trees.Of(CgroupPart::kMemory), nullptr);
  EXPECT_EQ(trees.Of(CgroupPart::kMemory)->version, 1);
  EXPECT_EQ(trees.Of(CgroupPart::kCpu), trees.Of(CgroupPart::kCpuacct));
  EXPECT_NE(trees.Of(CgroupPart::kCpu), trees.Of(CgroupPart::kMemory));
  EXPECT_EQ(trees.Of(CgroupPart::kPids), nullptr);
  EXPECT_EQ(trees.Of(CgroupPart::kPressure), nullptr);
  EXPECT_EQ(trees.Main(), trees.Of(CgroupPart::kMemory));
}

TEST_F(CgroupTreesTest, OfVersionOnePrecedeTheUnifiedOne) {
  PutMounts(
      "30 20 0:26 / /unified rw - cgroup2 cgroup2 rw\n"
      "31 20 0:27 / /cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  Put("/unified/cgroup.controllers", "pids\n");
  Put("/cpu/tasks", "");
  CgroupTrees trees(root);
  ASSERT_NE(trees.Of(CgroupPart::kCpuacct), nullptr);
  EXPECT_EQ(trees.Of(CgroupPart::kCpuacct)->version, 1);
  ASSERT_NE(trees.Of(CgroupPart::kPids), nullptr);
  EXPECT_EQ(trees.Of(CgroupPart::kPids)->version, 2);
  EXPECT_EQ(trees.Of(CgroupPart::kPressure)->version, 2);
  EXPECT_EQ(trees.Of(CgroupPart::kMemory), nullptr);
  // Without memory it is that of the CPU.
  EXPECT_EQ(trees.Main(), trees.Of(CgroupPart::kCpu));
}

TEST_F(CgroupTreesTest, TheWidestViewOfATreeIsPreferred) {
  PutMounts(
      "31 20 0:27 /docker/abc /part rw - cgroup cgroup rw,memory\n"
      "32 20 0:27 / /whole rw - cgroup cgroup rw,memory\n");
  Put("/part/tasks", "");
  Put("/whole/tasks", "");
  CgroupTrees trees(root);
  ASSERT_NE(trees.Main(), nullptr);
  EXPECT_EQ(trees.Main()->top, "");
}

TEST_F(CgroupTreesTest, AViewFromInsideAnotherCgroupIsWhole) {
  PutMounts("32 20 0:27 /../.. /whole rw - cgroup cgroup rw,memory\n");
  Put("/whole/tasks", "");
  EXPECT_EQ(CgroupTrees(root).Main()->top, "");
}

TEST_F(CgroupTreesTest, AMountThatCannotBeOpenedIsSkipped) {
  PutMounts(
      "31 20 0:27 / /gone rw - cgroup cgroup rw,memory\n"
      "32 20 0:28 / /there rw - cgroup cgroup rw,memory\n");
  Put("/there/tasks", "");
  CgroupTrees trees(root);
  ASSERT_NE(trees.Main(), nullptr);
  EXPECT_TRUE(trees.Main()->folder.open());
}

TEST_F(CgroupTreesTest, NamesAreRelativeToWhatTheTreeShows) {
  CgroupTree tree;
  EXPECT_EQ(tree.Below("/docker/abc"), "docker/abc");
  EXPECT_EQ(tree.Below("/"), ".");
  tree.top = "/docker/abc";
  EXPECT_EQ(tree.Below("/docker/abc/init"), "init");
  EXPECT_EQ(tree.Below("/docker/abc"), ".");
  EXPECT_EQ(tree.Below("/x"), ".");
}

TEST(V1ControllerFor, IsEmptyForPressure) {
  EXPECT_STREQ(V1ControllerFor(CgroupPart::kMemory), "memory");
  EXPECT_STREQ(V1ControllerFor(CgroupPart::kCpuacct), "cpuacct");
  EXPECT_STREQ(V1ControllerFor(CgroupPart::kPressure), "");
}

}  // namespace
}  // namespace mete
