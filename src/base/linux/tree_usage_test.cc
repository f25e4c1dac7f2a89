#include "linux/tree_usage.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

// A shell (60) with two children that run (61, 62). CPU times are in ticks of
// 10 ms: user, system, and those of children that were waited for.
class TreeUsageTest : public EmptyMachine {
 protected:
  struct Process {
    int parent = 1;
    int session = 60;
    std::string ticks;   // user, system, reaped user, reaped system
    std::string faults;  // minor, major
  };
  void Start(int pid, const Process& process) {
    const std::string name = std::to_string(pid);
    const std::string minor =
        process.faults.substr(0, process.faults.find(' '));
    const std::string major =
        process.faults.substr(process.faults.find(' ') + 1);
    Put("/proc/" + name + "/stat",
        name + " (sh) S " + std::to_string(process.parent) + " 1 " +
            std::to_string(process.session) + " 0 -1 0 " + minor + " 0 " +
            major + " 0 " + process.ticks + " 20 0 1 0 100\n");
  }
  void PutMemory(int pid, const std::string& status) {
    Put("/proc/" + std::to_string(pid) + "/status", status);
  }
  void PutTraffic(int pid, int read, int written) {
    Put("/proc/" + std::to_string(pid) + "/io",
        "read_bytes: " + std::to_string(read) +
            "\nwrite_bytes: " + std::to_string(written) + "\n");
  }
  void StartThree() {
    Start(60, {.ticks = "1 2 30 40", .faults = "5 1"});
    Start(61, {.parent = 60, .ticks = "100 200 3 4", .faults = "70 2"});
    Start(62, {.parent = 61, .ticks = "1000 2000 0 0", .faults = "900 4"});
  }
};

TEST_F(TreeUsageTest, SumsTheTimeOfTheProcessesAndOfThoseTheyWaitedFor) {
  StartThree();
  const ResourceUsage usage = ReadTreeUsage(root, 60);
  ASSERT_TRUE(usage.cpu && usage.cpu_user && usage.cpu_system);
  EXPECT_NEAR(usage.cpu_user->count(), 11.34, 1e-9);    // 1101 + 33 ticks
  EXPECT_NEAR(usage.cpu_system->count(), 22.46, 1e-9);  // 2202 + 44 ticks
  EXPECT_NEAR(usage.cpu->count(), 33.80, 1e-9);
}

TEST_F(TreeUsageTest, BelowAProcessItsOwnTimeIsLeftOut) {
  StartThree();
  const ResourceUsage usage = ReadUsageBelow(root, 60);
  ASSERT_TRUE(usage.cpu_user && usage.cpu_system);
  // Without 1 and 2 ticks, but with the 30 and 40 it waited for.
  EXPECT_NEAR(usage.cpu_user->count(), 11.33, 1e-9);
  EXPECT_NEAR(usage.cpu_system->count(), 22.44, 1e-9);
}

TEST_F(TreeUsageTest, CountsTheProcessesAndTheirFaults) {
  StartThree();
  EXPECT_EQ(ReadTreeUsage(root, 60).processes, 3u);
  EXPECT_EQ(ReadTreeUsage(root, 60).minor_faults, 975u);
  EXPECT_EQ(ReadTreeUsage(root, 60).major_faults, 7u);
  EXPECT_EQ(ReadUsageBelow(root, 60).processes, 2u);
  EXPECT_EQ(ReadUsageBelow(root, 60).minor_faults, 970u);
  EXPECT_EQ(ReadUsageBelow(root, 60).major_faults, 6u);
}

TEST_F(TreeUsageTest, SumsMemoryOfEveryKind) {
  StartThree();
  for (int pid : {60, 61, 62}) {
    PutMemory(pid,
              "VmRSS:\t 100 kB\nRssAnon:\t 60 kB\nRssFile:\t 30 kB\n"
              "RssShmem:\t 10 kB\nVmSwap:\t 8 kB\n");
  }
  const ResourceUsage all = ReadTreeUsage(root, 60);
  EXPECT_EQ(all.memory, Kibibytes(300));
  EXPECT_EQ(all.memory_anonymous, Kibibytes(210));
  EXPECT_EQ(all.memory_file, Kibibytes(90));
  EXPECT_EQ(all.swap, Kibibytes(24));
  const ResourceUsage below = ReadUsageBelow(root, 60);
  EXPECT_EQ(below.memory, Kibibytes(200));
  EXPECT_EQ(below.memory_anonymous, Kibibytes(140));
  EXPECT_EQ(below.memory_file, Kibibytes(60));
  EXPECT_EQ(below.swap, Kibibytes(16));
}

TEST_F(TreeUsageTest, TheResidentPeakIsThatOfTheLargestProcess) {
  StartThree();
  PutMemory(60, "VmHWM:\t 900 kB\n");
  PutMemory(61, "VmHWM:\t 500 kB\n");
  PutMemory(62, "VmHWM:\t 200 kB\n");
  EXPECT_EQ(ReadTreeUsage(root, 60).resident_peak, Kibibytes(900));
  EXPECT_EQ(ReadUsageBelow(root, 60).resident_peak, Kibibytes(500));
}

// The kernel adds the traffic of children that were waited for to that of their
// parent, so it cannot be told apart.
TEST_F(TreeUsageTest, TrafficIncludesThatOfTheFirstProcess) {
  StartThree();
  PutTraffic(60, 1, 2);
  PutTraffic(61, 10, 20);
  PutTraffic(62, 100, 200);
  EXPECT_EQ(ReadTreeUsage(root, 60).disk_read, Bytes{111});
  EXPECT_EQ(ReadTreeUsage(root, 60).disk_written, Bytes{222});
  EXPECT_EQ(ReadUsageBelow(root, 60).disk_read, Bytes{111});
  EXPECT_EQ(ReadUsageBelow(root, 60).disk_written, Bytes{222});
}

TEST_F(TreeUsageTest, WhatNoProcessShowsIsAbsent) {
  StartThree();
  const ResourceUsage usage = ReadTreeUsage(root, 60);
  EXPECT_EQ(usage.memory, std::nullopt);
  EXPECT_EQ(usage.memory_anonymous, std::nullopt);
  EXPECT_EQ(usage.resident_peak, std::nullopt);
  EXPECT_EQ(usage.disk_read, std::nullopt);
  EXPECT_EQ(usage.swap, std::nullopt);
}

TEST_F(TreeUsageTest, WhatOneProcessHidesIsThatOfTheOthers) {
  StartThree();
  PutMemory(61, "VmRSS:\t 100 kB\n");
  PutTraffic(62, 7, 8);
  const ResourceUsage usage = ReadTreeUsage(root, 60);
  EXPECT_EQ(usage.memory, Kibibytes(100));
  EXPECT_EQ(usage.disk_read, Bytes{7});
}

TEST_F(TreeUsageTest, CpuTimeNeedsBothParts) {
  // The line ends behind the user time.
  Put("/proc/60/stat", "60 (sh) S 1 1 60 0 -1 0 1 0 1 0 50\n");
  const ResourceUsage usage = ReadTreeUsage(root, 60);
  ASSERT_TRUE(usage.cpu_user);
  EXPECT_NEAR(usage.cpu_user->count(), 0.5, 1e-9);
  EXPECT_EQ(usage.cpu_system, std::nullopt);
  EXPECT_EQ(usage.cpu, std::nullopt);
}

TEST_F(TreeUsageTest, OfAnEndedTreeNothingIsLeft) {
  const ResourceUsage usage = ReadTreeUsage(root, 60);
  EXPECT_EQ(usage.processes, 0u);
  EXPECT_EQ(usage.cpu, std::nullopt);
  EXPECT_EQ(usage.memory, std::nullopt);
}

}  // namespace
}  // namespace mete
