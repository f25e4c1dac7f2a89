#include "cgroups/group_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A plain folder with empty control files in place of a cgroup.
class PlainGroup {
 public:
  PlainGroup(int version, const std::vector<std::string>& files)
      : scratch_(*ScratchFolder::Create()), root_(scratch_.path()) {
    std::filesystem::create_directories(scratch_.path() / "top/group");
    for (const std::string& file : files) {
      EXPECT_TRUE(WriteFileAtomically(At(file), "").ok());
    }
    CgroupFolder folder{.version = version, .folder = "/top/group"};
    paths_ = {.memory = folder,
              .cpu = folder,
              .cpuacct = folder,
              .cpuset = folder,
              .pids = folder};
  }

  std::filesystem::path At(const std::string& file) const {
    return scratch_.path() / "top/group" / file;
  }
  std::string Text(const std::string& file) const {
    return *ReadFile(At(file));
  }
  const SystemRoot& root() const { return root_; }
  const std::filesystem::path& folder() const { return scratch_.path(); }
  CgroupPaths& paths() { return paths_; }
  LimitReport report;

 private:
  ScratchFolder scratch_;
  SystemRoot root_;
  CgroupPaths paths_;
};

const Limits kAll{.memory = Mebibytes(64),
                  .cpus = Millicores{1500},
                  .cpuset = "0-1",
                  .processes = 20};

TEST(ApplyLimits, WritesTheFilesOfCgroupV2) {
  PlainGroup group(2, {"memory.max", "memory.swap.max", "cpu.max", "pids.max",
                       "cpuset.cpus"});
  ASSERT_TRUE(
      ApplyLimits(group.root(), group.paths(), kAll, group.report).ok());
  EXPECT_EQ(group.Text("memory.max"), "67108864");
  EXPECT_EQ(group.Text("memory.swap.max"), "0");
  EXPECT_EQ(group.Text("cpu.max"), "150000 100000");
  EXPECT_EQ(group.Text("pids.max"), "20");
  EXPECT_EQ(group.Text("cpuset.cpus"), "0-1");
  EXPECT_THAT(group.report.notes, IsEmpty());
}

TEST(ApplyLimits, WritesTheFilesOfCgroupV1) {
  PlainGroup group(1, {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes",
                       "cpu.cfs_period_us", "cpu.cfs_quota_us", "pids.max",
                       "cpuset.cpus", "cpuset.mems", "../cpuset.mems"});
  ASSERT_TRUE(
      WriteFileAtomically(group.folder() / "top/cpuset.mems", "0-3\n").ok());
  ASSERT_TRUE(
      ApplyLimits(group.root(), group.paths(), kAll, group.report).ok());
  EXPECT_EQ(group.Text("memory.limit_in_bytes"), "67108864");
  EXPECT_EQ(group.Text("memory.memsw.limit_in_bytes"), "67108864");
  EXPECT_EQ(group.Text("cpu.cfs_quota_us"), "150000");
  EXPECT_EQ(group.Text("cpuset.mems"), "0-3");
}

TEST(ApplyLimits, DoesNotLimitSwapOnRequest) {
  PlainGroup group(2, {"memory.max", "memory.swap.max"});
  Limits limits{.memory = Mebibytes(64), .swap = true};
  ASSERT_TRUE(
      ApplyLimits(group.root(), group.paths(), limits, group.report).ok());
  EXPECT_EQ(group.Text("memory.swap.max"), "");
}

TEST(ApplyLimits, SaysWhichLimitHasNoController) {
  PlainGroup group(2, {"cpu.max"});
  group.paths().memory.reset();
  Limits limits{.memory = Mebibytes(64), .cpus = Millicores{500}};
  ASSERT_TRUE(
      ApplyLimits(group.root(), group.paths(), limits, group.report).ok());
  EXPECT_EQ(group.Text("cpu.max"), "50000 100000");
  EXPECT_THAT(group.report.notes,
              ElementsAre(HasSubstr("the memory limit is not applied")));
  EXPECT_THAT(group.report.missing, ElementsAre(EnforcedLimit::kMemory));
}

TEST(ApplyLimits, TreatsADisabledControllerAsMissing) {
  PlainGroup group(2, {});
  ASSERT_TRUE(
      ApplyLimits(group.root(), group.paths(), {.processes = 5}, group.report)
          .ok());
  EXPECT_THAT(group.report.notes,
              ElementsAre(HasSubstr("the process limit is not applied")));
}

TEST(ApplyLimits, WarnsWhenSwapCannotBeLimited) {
  PlainGroup group(1, {"memory.limit_in_bytes"});
  std::filesystem::create_directories(group.folder() / "proc");
  ASSERT_TRUE(WriteFileAtomically(group.folder() / "proc/swaps",
                                  "Filename Type Size Used Priority\n"
                                  "/dev/sda2 partition 1024 0 -2\n")
                  .ok());
  ASSERT_TRUE(ApplyLimits(group.root(), group.paths(),
                          {.memory = Mebibytes(64)}, group.report)
                  .ok());
  EXPECT_THAT(group.report.notes,
              ElementsAre(HasSubstr("swap is not limited")));
}

TEST(ApplyLimits, RejectsAQuotaBelowTheKernelsMinimum) {
  PlainGroup group(2, {"cpu.max"});
  Status status = ApplyLimits(group.root(), group.paths(),
                              {.cpus = Millicores{9}}, group.report);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kUnsupported);
}

TEST(ApplyLimits, RejectsACoreThatDoesNotExist) {
  PlainGroup group(2, {"cpuset.cpus"});
  std::filesystem::create_directories(group.folder() /
                                      "sys/devices/system/cpu");
  ASSERT_TRUE(WriteFileAtomically(
                  group.folder() / "sys/devices/system/cpu/online", "0-1\n")
                  .ok());
  Status status = ApplyLimits(group.root(), group.paths(), {.cpuset = "0,99"},
                              group.report);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(status.error().message(),
            "core 99 does not exist; this machine has cores 0-1");
  EXPECT_EQ(group.Text("cpuset.cpus"), "");
  EXPECT_TRUE(
      ApplyLimits(group.root(), group.paths(), {.cpuset = "1"}, group.report)
          .ok());
}

TEST(ApplyLimits, WritesQuotasInTheRequestedPeriod) {
  PlainGroup group(2, {"cpu.max"});
  ASSERT_TRUE(ApplyLimits(group.root(), group.paths(),
                          {.cpus = Millicores{250}}, group.report,
                          std::chrono::microseconds(10'000))
                  .ok());
  EXPECT_EQ(group.Text("cpu.max"), "2500 10000");
  Status small =
      ApplyLimits(group.root(), group.paths(), {.cpus = Millicores{50}},
                  group.report, std::chrono::microseconds(10'000));
  ASSERT_FALSE(small.ok());
  EXPECT_THAT(small.error().message(), HasSubstr("minimum is 100m"));
}

TEST(RemoveCpuLimit, WritesTheFilesOfBothVersions) {
  PlainGroup second(2, {"cpu.max"});
  ASSERT_TRUE(RemoveCpuLimit(second.root(), second.paths()).ok());
  EXPECT_EQ(second.Text("cpu.max"), "max");
  PlainGroup first(1, {"cpu.cfs_quota_us"});
  ASSERT_TRUE(RemoveCpuLimit(first.root(), first.paths()).ok());
  EXPECT_EQ(first.Text("cpu.cfs_quota_us"), "-1");
}

TEST(ApplyWeight, UsesTheUnitsOfBothVersions) {
  PlainGroup second(2, {"cpu.weight"});
  ASSERT_TRUE(ApplyWeight(second.root(), second.paths(), 16).ok());
  EXPECT_EQ(second.Text("cpu.weight"), "1600");
  PlainGroup first(1, {"cpu.shares"});
  ASSERT_TRUE(ApplyWeight(first.root(), first.paths(), 16).ok());
  EXPECT_EQ(first.Text("cpu.shares"), "16384");
}

}  // namespace
}  // namespace mete
