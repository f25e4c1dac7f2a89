#include "linux/cgroup_facts.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using CgroupFactsTest = EmptyMachine;

TEST_F(CgroupFactsTest, FindTheUnifiedHierarchy) {
  CgroupFacts facts = ReadCgroups(Recorded("x86"));
  EXPECT_EQ(facts.layout, CgroupLayout::kV2);
  ASSERT_EQ(facts.controllers.size(), 3u);
  EXPECT_EQ(facts.controllers[1].name, "memory");
  EXPECT_EQ(facts.controllers[1].folder,
            "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope");
}

TEST_F(CgroupFactsTest, FindEachHierarchyOfCgroupV1) {
  CgroupFacts facts = ReadCgroups(Recorded("jetson-nano"));
  EXPECT_EQ(facts.layout, CgroupLayout::kHybrid);
  const CgroupController* cpu = facts.Find("cpu");
  ASSERT_NE(cpu, nullptr);
  EXPECT_EQ(cpu->version, 1);
  EXPECT_EQ(cpu->folder, "/sys/fs/cgroup/cpu,cpuacct/user.slice");
  EXPECT_EQ(facts.Find("name=systemd"), nullptr);
}

TEST_F(CgroupFactsTest, OmitAControllerTheKernelDisabled) {
  EXPECT_EQ(ReadCgroups(Recorded("pi4")).Find("memory"), nullptr);
}

TEST_F(CgroupFactsTest, AreNoneOnAMachineWithoutThem) {
  CgroupFacts facts = ReadCgroups(root);
  EXPECT_EQ(facts.layout, CgroupLayout::kNone);
  EXPECT_TRUE(facts.controllers.empty());
}

TEST_F(CgroupFactsTest, StripThePrefixThatAContainersMountHides) {
  Put("/proc/self/cgroup", "4:memory:/docker/abc/inner\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup "
      "rw,memory\n");
  EXPECT_EQ(ReadCgroups(root).Find("memory")->folder,
            "/sys/fs/cgroup/memory/inner");
}

TEST_F(CgroupFactsTest, OmitACgroupOutsideTheNamespace) {
  Put("/proc/self/cgroup", "4:memory:/../other\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  EXPECT_EQ(ReadCgroups(root).Find("memory"), nullptr);
}

TEST_F(CgroupFactsTest, MarkWritableCgroups) {
  Put("/proc/self/cgroup", "4:memory:/mine\n5:pids:/gone\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "32 25 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
  Put("/sys/fs/cgroup/memory/mine/memory.limit_in_bytes", "1048576\n");
  CgroupFacts facts = ReadCgroups(root);
  EXPECT_TRUE(facts.Find("memory")->writable);
  EXPECT_FALSE(facts.Find("pids")->writable);
}

TEST_F(CgroupFactsTest, UseTheTightestLimitOfAllAncestors) {
  SystemRoot x86 = Recorded("x86");
  CgroupFacts facts = ReadCgroups(x86);
  EXPECT_EQ(ReadCpuLimit(x86, facts), Millicores{1500});
  EXPECT_EQ(ReadMemoryLimit(x86, facts), Gibibytes(8));
}

TEST_F(CgroupFactsTest, HaveNoLimitWhenCgroupV1SetsNone) {
  SystemRoot nano = Recorded("jetson-nano");
  CgroupFacts facts = ReadCgroups(nano);
  EXPECT_EQ(ReadCpuLimit(nano, facts), std::nullopt);
  EXPECT_EQ(ReadMemoryLimit(nano, facts), std::nullopt);
}

TEST_F(CgroupFactsTest, ReadTheLimitsOfCgroupV1) {
  Put("/proc/self/cgroup", "4:memory:/\n5:cpu,cpuacct:/\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "32 25 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  Put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
  Put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  Put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  CgroupFacts facts = ReadCgroups(root);
  EXPECT_EQ(ReadMemoryLimit(root, facts), Mebibytes(512));
  EXPECT_EQ(ReadCpuLimit(root, facts), Millicores{500});
}

TEST_F(CgroupFactsTest, NameThePureLayoutOfVersionOne) {
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  EXPECT_EQ(ReadCgroups(root).layout, CgroupLayout::kV1);
}

TEST_F(CgroupFactsTest, HaveNoLimitWithoutAController) {
  CgroupFacts none;
  EXPECT_EQ(ReadCpuLimit(root, none), std::nullopt);
  EXPECT_EQ(ReadMemoryLimit(root, none), std::nullopt);
}

TEST_F(CgroupFactsTest, UseTheLimitOfTheGroupIfItIsTheTightest) {
  Put("/proc/self/cgroup", "0::/outer/inner\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  Put("/sys/fs/cgroup/outer/inner/cgroup.controllers", "cpu memory\n");
  Put("/sys/fs/cgroup/outer/inner/memory.max", "1048576\n");
  Put("/sys/fs/cgroup/outer/memory.max", "2097152\n");
  EXPECT_EQ(ReadMemoryLimit(root, ReadCgroups(root)), Mebibytes(1));
}

}  // namespace
}  // namespace mete
