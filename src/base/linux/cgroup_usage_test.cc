#include "linux/cgroup_usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linux/pooled_cgroup_files.h"
#include "linux/test_machines.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using CgroupUsageTest = EmptyMachine;

CgroupUsage UsageIn(const std::string& machine) {
  SystemRoot root = Recorded(machine);
  return ReadCgroupUsage(root, FindCgroupPaths(root, 4242));
}

TEST_F(CgroupUsageTest, CountsMemoryUnderCgroupV1WithDescendants) {
  CgroupMemory memory = UsageIn("cgroup-v1").memory;
  EXPECT_EQ(memory.current, Bytes{2398023680});
  EXPECT_EQ(memory.peak, Bytes{19141619712});
  EXPECT_EQ(memory.swap, Bytes{454656});
  EXPECT_EQ(memory.page_faults, 349174905u);
  EXPECT_EQ(memory.major_faults, 8018u);
  EXPECT_EQ(memory.oom_kills, 2u);
}

TEST_F(CgroupUsageTest, CountsMemoryUnderCgroupV2) {
  CgroupMemory memory = UsageIn("cgroup-v2").memory;
  EXPECT_EQ(memory.current, Bytes{734003200});
  EXPECT_EQ(memory.peak, Gibibytes(1));
  EXPECT_EQ(memory.swap, Mebibytes(12));
  EXPECT_EQ(memory.page_faults, 284177u);
  EXPECT_EQ(memory.major_faults, 912u);
  EXPECT_EQ(memory.oom_kills, 1u);
}

TEST_F(CgroupUsageTest, CountsCpuTimeUnderCgroupV1) {
  CgroupCpu cpu = UsageIn("cgroup-v1").cpu;
  EXPECT_EQ(cpu.total, nanoseconds(23189447990552));
  EXPECT_EQ(cpu.user, milliseconds(20933180));
  EXPECT_EQ(cpu.system, milliseconds(2256260));
  EXPECT_EQ(cpu.periods, 1200u);
  EXPECT_EQ(cpu.throttled_periods, 375u);
  EXPECT_EQ(cpu.throttled, nanoseconds(18250417033));
  EXPECT_THAT(cpu.per_core, ElementsAre(nanoseconds(11592417855322),
                                        nanoseconds(11597033639633)));
}

TEST_F(CgroupUsageTest, CountsCpuTimeUnderCgroupV2) {
  CgroupCpu cpu = UsageIn("cgroup-v2").cpu;
  EXPECT_EQ(cpu.total, microseconds(86412377));
  EXPECT_EQ(cpu.user, microseconds(79120044));
  EXPECT_EQ(cpu.system, microseconds(7292333));
  EXPECT_EQ(cpu.periods, 614u);
  EXPECT_EQ(cpu.throttled_periods, 208u);
  EXPECT_EQ(cpu.throttled, microseconds(9417255));
  EXPECT_THAT(cpu.per_core, IsEmpty());
}

TEST_F(CgroupUsageTest, CountsBytesOfStorageUnderCgroupV1) {
  CgroupIo io = UsageIn("cgroup-v1").io;
  EXPECT_EQ(io.read, Bytes{6240157696});
  EXPECT_EQ(io.written, Bytes{69509246976});
}

TEST_F(CgroupUsageTest, CountsBytesOnceWhenTheyPassThroughTwoDevices) {
  CgroupIo io = UsageIn("cgroup-v2").io;
  EXPECT_EQ(io.read, Mebibytes(144));
  EXPECT_EQ(io.written, Mebibytes(8));
}

TEST_F(CgroupUsageTest, TreatsAnEmptyListOfDevicesAsNoTraffic) {
  Put("/g/io.stat", "");
  CgroupIo io = ReadCgroupUsage(root, {.blkio = CgroupFolder{2, "/g"}}).io;
  EXPECT_EQ(io.read, Bytes{0});
  EXPECT_EQ(io.written, Bytes{0});
}

TEST_F(CgroupUsageTest, OmitsTrafficThatCgroupV1DoesNotCount) {
  Put("/g/blkio.throttle.io_service_bytes_recursive", "Total 0\n");
  CgroupIo io = ReadCgroupUsage(root, {.blkio = CgroupFolder{1, "/g"}}).io;
  EXPECT_EQ(io.read, std::nullopt);
  EXPECT_EQ(io.written, std::nullopt);
}

TEST_F(CgroupUsageTest, TellsAnonymousMemoryFromFilesAndTheKernel) {
  Put("/one/memory.stat", "cache 1000\nrss 50\nshmem 200\n");
  Put("/one/memory.kmem.usage_in_bytes", "7\n");
  Put("/all/memory.stat",
      "cache 1\nrss 2\nshmem 3\ntotal_cache 900\ntotal_rss 40\n"
      "total_shmem 100\n");
  Put("/two/memory.stat", "anon 60\nfile 500\nkernel 9\nshmem 100\n");
  Put("/old/memory.stat", "anon 60\n");
  auto in = [&](CgroupFolder group) {
    return ReadCgroupUsage(root, {.memory = group}).memory;
  };
  // tmpfs and shared memory cannot be dropped like a file's pages
  EXPECT_EQ(in({1, "/one"}).anonymous, Bytes{250});
  EXPECT_EQ(in({1, "/one"}).file, Bytes{800});
  EXPECT_EQ(in({1, "/one"}).kernel, Bytes{7});
  EXPECT_EQ(in({1, "/all"}).anonymous, Bytes{140});
  EXPECT_EQ(in({1, "/all"}).file, Bytes{800});
  EXPECT_EQ(in({1, "/all"}).kernel, std::nullopt);
  EXPECT_EQ(in({2, "/two"}).anonymous, Bytes{160});
  EXPECT_EQ(in({2, "/two"}).file, Bytes{400});
  EXPECT_EQ(in({2, "/two"}).kernel, Bytes{9});
  EXPECT_EQ(in({2, "/old"}).anonymous, std::nullopt);
}

TEST_F(CgroupUsageTest, OmitsASumWithAnUnreadablePart) {
  Put("/g/io.stat", "8:0 rbytes=1 wbytes=1\n8:16 rbytes=? wbytes=1\n");
  CgroupIo io = ReadCgroupUsage(root, {.blkio = CgroupFolder{2, "/g"}}).io;
  EXPECT_EQ(io.read, std::nullopt);
  EXPECT_EQ(io.written, Bytes{2});
}

TEST_F(CgroupUsageTest, ReportsThePageCacheThatIsReclaimedFirst) {
  Put("/one/memory.stat", "inactive_file 4096\ntotal_inactive_file 12288\n");
  Put("/two/memory.stat", "file 20480\ninactive_file 8192\n");
  auto in = [&](CgroupFolder group) {
    return ReadCgroupUsage(root, {.memory = group}).memory.inactive_file;
  };
  EXPECT_EQ(in({1, "/one"}), Bytes{12288});
  EXPECT_EQ(in({2, "/two"}), Bytes{8192});
  EXPECT_EQ(in({2, "/gone"}), std::nullopt);
}

TEST_F(CgroupUsageTest, ReportsTheTimeOfACgroupWithoutLimits) {
  Put("/g/cpu.stat", "usage_usec 7\nnr_periods 3\n");
  CgroupCpu cpu = ReadCgroupUsage(root, {.cpuacct = CgroupFolder{2, "/g"}}).cpu;
  EXPECT_EQ(cpu.total, microseconds(7));
  EXPECT_EQ(cpu.periods, std::nullopt);
}

TEST_F(CgroupUsageTest, KeepsValuesThatAreReadSeldom) {
  CgroupTrees trees(Recorded("cgroup-v2"));
  StorageDevices devices(Recorded("cgroup-v2"));
  CgroupFilePool pool;
  PooledCgroupFiles files(trees, pool, "mete.slice/run-1.scope", {});
  CgroupUsage usage{.memory = {.current = Bytes{1}, .peak = Bytes{2}}};
  ReadTime(files, usage);
  ReadMemoryInUse(files, usage);
  EXPECT_EQ(usage.memory.current, Bytes{734003200});
  EXPECT_EQ(usage.memory.peak, Bytes{2});
  EXPECT_EQ(usage.memory.inactive_file, std::nullopt);
  ReadDetails(files, devices, usage);
  EXPECT_EQ(usage.memory.current, Bytes{734003200});
  EXPECT_TRUE(usage.memory.inactive_file);
  EXPECT_EQ(usage.memory.peak, Bytes{2});
  EXPECT_EQ(usage.memory.oom_kills, std::nullopt);
  ReadSeldom(files, usage);
  EXPECT_EQ(usage.memory.current, Bytes{734003200});
  EXPECT_EQ(usage.memory.peak, Gibibytes(1));
  EXPECT_EQ(usage.memory.oom_kills, 1u);
}

TEST_F(CgroupUsageTest, CountsTasks) {
  EXPECT_EQ(UsageIn("cgroup-v1").tasks, 7u);
  EXPECT_EQ(UsageIn("cgroup-v2").tasks, 23u);
}

TEST_F(CgroupUsageTest, ReportsPressureOnlyUnderCgroupV2) {
  Pressures pressure = UsageIn("cgroup-v2").pressure;
  ASSERT_TRUE(pressure.cpu.full && pressure.memory.some && pressure.io.some);
  EXPECT_EQ(pressure.cpu.full->total, microseconds(10477210));
  EXPECT_EQ(pressure.memory.some->total, microseconds(1903344));
  EXPECT_DOUBLE_EQ(pressure.io.some->last_10s, 0.0125);
  EXPECT_FALSE(UsageIn("cgroup-v1").pressure.cpu.some.has_value());
}

TEST_F(CgroupUsageTest, FallsBackToTheCgroupAloneOnAnOldKernel) {
  Put("/g/memory.stat", "pgfault 12\npgmajfault 3\n");
  Put("/g/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
  Put("/g/blkio.throttle.io_service_bytes", "8:0 Read 512\nTotal 512\n");
  CgroupUsage usage = ReadCgroupUsage(
      root, {.memory = CgroupFolder{1, "/g"}, .blkio = CgroupFolder{1, "/g"}});
  EXPECT_EQ(usage.memory.page_faults, 12u);
  EXPECT_EQ(usage.memory.swap, std::nullopt);
  EXPECT_EQ(usage.memory.oom_kills, std::nullopt);
  EXPECT_EQ(usage.io.read, Bytes{512});
}

TEST_F(CgroupUsageTest, IsAbsentAndNotZeroWhenTheCgroupIsGone) {
  for (int version : {1, 2}) {
    CgroupFolder gone{version, "/gone"};
    CgroupUsage usage =
        ReadCgroupUsage(root, {gone, gone, gone, gone, gone, gone, "/gone"});
    EXPECT_EQ(usage.memory.current, std::nullopt);
    EXPECT_EQ(usage.memory.page_faults, std::nullopt);
    EXPECT_EQ(usage.cpu.total, std::nullopt);
    EXPECT_EQ(usage.cpu.periods, std::nullopt);
    EXPECT_THAT(usage.cpu.per_core, IsEmpty());
    EXPECT_EQ(usage.io.read, std::nullopt);
    EXPECT_EQ(usage.tasks, std::nullopt);
  }
}

TEST_F(CgroupUsageTest, APartOfMemoryIsAbsentWithoutBothSummands) {
  Put("/g/memory.stat", "file 500\nanon 60\n");
  Put("/h/memory.stat", "shmem 100\n");
  auto in = [&](const char* group) {
    return ReadCgroupUsage(root, {.memory = CgroupFolder{2, group}}).memory;
  };
  EXPECT_EQ(in("/g").file, std::nullopt);
  EXPECT_EQ(in("/g").anonymous, std::nullopt);
  EXPECT_EQ(in("/h").file, std::nullopt);
  EXPECT_EQ(in("/h").anonymous, std::nullopt);
}

TEST_F(CgroupUsageTest, FilesAreNotNegativeIfCountersCross) {
  Put("/g/memory.stat", "file 100\nshmem 120\n");
  EXPECT_EQ(
      ReadCgroupUsage(root, {.memory = CgroupFolder{2, "/g"}}).memory.file,
      Bytes{0});
}

TEST_F(CgroupUsageTest, AnUnreadablePartLeavesTheSumAbsentForGood) {
  Put("/g/io.stat", "8:0 rbytes=? wbytes=1\n8:16 rbytes=5 wbytes=?\n");
  CgroupIo io = ReadCgroupUsage(root, {.blkio = CgroupFolder{2, "/g"}}).io;
  EXPECT_EQ(io.read, std::nullopt);
  EXPECT_EQ(io.written, std::nullopt);
}

TEST_F(CgroupUsageTest, ThrottlingIsReadWithoutTheTime) {
  Put("/g/cpu.stat", "usage_usec 7\nnr_periods 3\nthrottled_usec 9\n");
  CgroupCpu cpu = ReadCgroupUsage(root, {.cpu = CgroupFolder{2, "/g"}}).cpu;
  EXPECT_EQ(cpu.total, std::nullopt);
  EXPECT_EQ(cpu.periods, 3u);
  EXPECT_EQ(cpu.throttled, microseconds(9));
}

TEST_F(CgroupUsageTest, AGapInTheTimesOfCoresLeavesThemAbsent) {
  Put("/g/cpuacct.usage_percpu", "1 ? 3\n");
  EXPECT_THAT(
      ReadCgroupUsage(root, {.cpuacct = CgroupFolder{1, "/g"}}).cpu.per_core,
      IsEmpty());
  Put("/g/cpuacct.usage_percpu", "1 2 3\n");
  EXPECT_THAT(
      ReadCgroupUsage(root, {.cpuacct = CgroupFolder{1, "/g"}}).cpu.per_core,
      ElementsAre(nanoseconds(1), nanoseconds(2), nanoseconds(3)));
}

TEST_F(CgroupUsageTest, OnlyStorageCountsUnderCgroupV1) {
  Put("/proc/diskstats",
      "8 0 sda 1 0 8 0 1 0 16 0 0 0 0\n253 0 dm-0 1 0 8 0 1 0 16 0 0 0 0\n");
  Put("/sys/block/sda/size", "100\n");
  Put("/sys/block/dm-0/slaves/sda", "");
  Put("/g/blkio.throttle.io_service_bytes_recursive",
      "8:0 Read 5\n8:0 Write 6\n253:0 Read 5\n253:0 Write 6\nTotal 22\n");
  CgroupIo io = ReadCgroupUsage(root, {.blkio = CgroupFolder{1, "/g"}}).io;
  EXPECT_EQ(io.read, Bytes{5});
  EXPECT_EQ(io.written, Bytes{6});
}

TEST_F(CgroupUsageTest, OnlyCgroupV1HasTheTimesOfCores) {
  Put("/g/cpuacct.usage_percpu", "1 2 3\n");
  EXPECT_THAT(
      ReadCgroupUsage(root, {.cpuacct = CgroupFolder{2, "/g"}}).cpu.per_core,
      IsEmpty());
}

}  // namespace
}  // namespace mete
