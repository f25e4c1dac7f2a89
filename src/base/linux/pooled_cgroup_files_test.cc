#include "linux/pooled_cgroup_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "linux/cgroup_usage.h"
#include "linux/test_machines.h"

namespace mete {
namespace {

constexpr CgroupPart kMemory = CgroupPart::kMemory;

class PooledCgroupFilesTest : public EmptyMachine {
 protected:
  void SetUp() override {
    Put("/proc/self/mountinfo",
        "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    Put("/sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
    Put("/sys/fs/cgroup/a/memory.current", "4096\n");
    trees.emplace(root);
  }
  PooledCgroupFiles OpenFiles(const std::string& group) {
    return PooledCgroupFiles(*trees, pool, group, {});
  }

  CgroupFilePool pool{.descriptors = 2};
  std::optional<CgroupTrees> trees;
};

TEST_F(PooledCgroupFilesTest, ReadsAFileAsItIsNow) {
  PooledCgroupFiles files = OpenFiles("a");
  EXPECT_EQ(files.VersionFor(kMemory), 2);
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "4096\n");
  // Into the same file, as the kernel does.
  std::ofstream(root.Locate("/sys/fs/cgroup/a/memory.current")) << "8192\n";
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "8192\n");
}

TEST_F(PooledCgroupFilesTest, ReadsATextLongerThanTheBuffer) {
  const std::string text(20000, 'x');
  Put("/sys/fs/cgroup/a/io.stat", text);
  EXPECT_EQ(OpenFiles("a").Text(CgroupPart::kBlkio, "io.stat"), text);
}

TEST_F(PooledCgroupFilesTest, KeepsOnlyAsManyOpenAsThePoolAllows) {
  Put("/sys/fs/cgroup/b/memory.current", "1\n");
  Put("/sys/fs/cgroup/c/memory.current", "2\n");
  {
    PooledCgroupFiles a = OpenFiles("a");
    PooledCgroupFiles b = OpenFiles("b");
    PooledCgroupFiles c = OpenFiles("c");
    for (PooledCgroupFiles* files : {&a, &b, &c}) {
      ASSERT_TRUE(files->Text(kMemory, "memory.current"));
    }
    EXPECT_EQ(pool.descriptors, 0u);
    EXPECT_EQ(c.Text(kMemory, "memory.current"), "2\n");
  }
  EXPECT_EQ(pool.descriptors, 2u);
}

TEST_F(PooledCgroupFilesTest, KeepsTheFilesOfACgroupThatAreReadFirst) {
  Put("/sys/fs/cgroup/a/memory.peak", "5\n");
  pool.most_each = 1;
  PooledCgroupFiles files = OpenFiles("a");
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "4096\n");
  EXPECT_EQ(files.Text(kMemory, "memory.peak"), "5\n");
  EXPECT_EQ(pool.descriptors, 1u);
}

TEST_F(PooledCgroupFilesTest, LooksForAMissingFileAgainOnRequest) {
  PooledCgroupFiles files = OpenFiles("a");
  EXPECT_EQ(files.Text(kMemory, "memory.peak"), std::nullopt);
  Put("/sys/fs/cgroup/a/memory.peak", "5\n");
  EXPECT_EQ(files.Text(kMemory, "memory.peak"), std::nullopt);
  files.LookAgain({});
  EXPECT_EQ(files.Text(kMemory, "memory.peak"), "5\n");
}

TEST_F(PooledCgroupFilesTest, ReadsACgroupWithAnotherFolderInOneTree) {
  Put("/sys/fs/cgroup/other/memory.current", "7\n");
  PooledCgroupFiles files(*trees, pool, "a", {{kMemory, "other"}});
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "7\n");
}

TEST_F(PooledCgroupFilesTest, ReadsTheSameAsTheReaderOfOneCgroup) {
  const std::pair<const char*, const char*> groups[] = {
      {"cgroup-v1", "mete/run-1"}, {"cgroup-v2", "mete.slice/run-1.scope"}};
  for (const auto& [machine, group] : groups) {
    SystemRoot recorded = Recorded(machine);
    CgroupUsage expected =
        ReadCgroupUsage(recorded, FindCgroupPaths(recorded, 4242));
    ASSERT_TRUE(expected.cpu.total && expected.memory.current);
    CgroupTrees all(recorded);
    StorageDevices devices(recorded);
    PooledCgroupFiles files(all, pool, group, {});
    CgroupUsage usage = ReadUsage(files, devices);
    EXPECT_EQ(usage.memory.current, expected.memory.current) << machine;
    EXPECT_EQ(usage.memory.page_faults, expected.memory.page_faults);
    EXPECT_EQ(usage.cpu.total, expected.cpu.total);
    EXPECT_EQ(usage.cpu.throttled, expected.cpu.throttled);
    EXPECT_EQ(usage.io.read, expected.io.read);
    EXPECT_EQ(usage.tasks, expected.tasks);
    CgroupUsage alone;
    ReadTime(files, alone);
    EXPECT_EQ(alone.cpu.total, expected.cpu.total);
  }
}

TEST_F(PooledCgroupFilesTest, DoesNotOpenAFileAgainThatItKeeps) {
  PooledCgroupFiles files = OpenFiles("a");
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "4096\n");
  Put("/sys/fs/cgroup/a/memory.current", "1\n");  // another file
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "4096\n");
}

TEST_F(PooledCgroupFilesTest, OmitsWhatCannotBeRead) {
  Put("/sys/fs/cgroup/a/memory.peak/x", "");  // a folder
  PooledCgroupFiles files = OpenFiles("a");
  EXPECT_EQ(files.Text(kMemory, "memory.current"), "4096\n");
  EXPECT_EQ(files.Text(kMemory, "memory.peak"), std::nullopt);
  EXPECT_EQ(OpenFiles(std::string(5000, 'x')).Text(kMemory, "memory.current"),
            std::nullopt);
}

TEST_F(PooledCgroupFilesTest, HasNoFilesOfAPartWithoutATree) {
  Put("/proc/self/mountinfo", "");
  trees.emplace(root);
  PooledCgroupFiles files = OpenFiles("a");
  EXPECT_EQ(files.VersionFor(kMemory), 0);
  EXPECT_EQ(files.Text(kMemory, "memory.current"), std::nullopt);
}

TEST_F(PooledCgroupFilesTest, ReadsATextAsLongAsTheBuffer) {
  const std::string text(pool.buffer.size(), 'x');
  Put("/sys/fs/cgroup/a/io.stat", text + "y");
  EXPECT_EQ(OpenFiles("a").Text(CgroupPart::kBlkio, "io.stat"), text + "y");
}

}  // namespace
}  // namespace mete
