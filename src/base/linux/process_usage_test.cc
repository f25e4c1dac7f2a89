#include "linux/process_usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

class ProcessUsageTest : public EmptyMachine {
 protected:
  struct Kin {
    int parent;
    int session;
  };
  void Start(int pid, Kin kin, const std::string& command = "sh") {
    Put("/proc/" + std::to_string(pid) + "/stat",
        std::to_string(pid) + " (" + command + ") S " +
            std::to_string(kin.parent) + " 1 " + std::to_string(kin.session) +
            " 0 -1 0 1 2 3 4 5 6 7 8 20 0 1\n");
  }
};

TEST_F(ProcessUsageTest, CountsTimeFaultsAndThreads) {
  ProcessUsage usage = ReadProcessUsage(Recorded("x86"), 4242);
  EXPECT_EQ(usage.user, milliseconds(125310));
  EXPECT_EQ(usage.system, milliseconds(4470));
  EXPECT_EQ(usage.reaped_user, milliseconds(910));
  EXPECT_EQ(usage.reaped_system, milliseconds(230));
  EXPECT_EQ(usage.started, milliseconds(15175060));
  EXPECT_EQ(usage.minor_faults, 301844u);
  EXPECT_EQ(usage.major_faults, 57u);
  EXPECT_EQ(usage.threads, 9u);
}

TEST_F(ProcessUsageTest, CountsMemory) {
  SystemRoot x86 = Recorded("x86");
  ProcessUsage usage = ReadProcessUsage(x86, 4242);
  EXPECT_EQ(usage.resident, Kibibytes(611408));
  EXPECT_EQ(usage.peak_resident, Kibibytes(702216));
  EXPECT_EQ(ReadProportionalMemory(x86, 4242), Kibibytes(598731));
}

TEST_F(ProcessUsageTest, TellsAnonymousMemoryFromFiles) {
  Put("/proc/7/status",
      "RssAnon:\t 8 kB\nRssFile:\t 20 kB\nRssShmem:\t 2 kB\n");
  EXPECT_EQ(ReadProcessUsage(root, 7).resident_anonymous, Kibibytes(10));
  EXPECT_EQ(ReadProcessUsage(root, 7).resident_file, Kibibytes(20));
  EXPECT_EQ(ReadProcessUsage(root, 8).resident_anonymous, std::nullopt);
}

TEST_F(ProcessUsageTest, SumsStorageTrafficUnlessAPartIsHidden) {
  Put("/proc/7/io", "read_bytes: 100\nwrite_bytes: 5\n");
  Put("/proc/8/io", "read_bytes: 1\nwrite_bytes: 2\n");
  Put("/proc/9/stat", "hidden");
  auto sum = ReadStorageTraffic(root, {7, 8, 10});  // 10 has ended
  ASSERT_TRUE(sum.has_value());
  EXPECT_EQ(sum->read, Bytes{101});
  EXPECT_EQ(sum->written, Bytes{7});
  EXPECT_FALSE(ReadStorageTraffic(root, {7, 9}).has_value());
}

TEST_F(ProcessUsageTest, CountsSwap) {
  Put("/proc/7/status", "VmRSS:\t 8 kB\nVmSwap:\t 12 kB\n");
  EXPECT_EQ(ReadProcessUsage(root, 7).swap, Kibibytes(12));
  EXPECT_EQ(ReadProcessUsage(root, 8).swap, std::nullopt);
}

TEST_F(ProcessUsageTest, CountsBytesOfStorage) {
  ProcessUsage usage = ReadProcessUsage(Recorded("x86"), 4242);
  EXPECT_EQ(usage.read, Bytes{104935424});
  EXPECT_EQ(usage.written, Bytes{81920});
}

TEST_F(ProcessUsageTest, SurvivesACommandThatLooksLikeFields) {
  Start(7, {.parent = 1, .session = 7}, "a) S 99 99 99 (b");
  ProcessUsage usage = ReadProcessUsage(root, 7);
  EXPECT_EQ(usage.minor_faults, 1u);
  EXPECT_EQ(usage.user, milliseconds(50));
  EXPECT_THAT(ProcessTree(root, 99), IsEmpty());
}

TEST_F(ProcessUsageTest, IsAbsentOnceTheProcessHasEnded) {
  ProcessUsage usage = ReadProcessUsage(root, 7);
  EXPECT_EQ(usage.user, std::nullopt);
  EXPECT_EQ(usage.threads, std::nullopt);
  EXPECT_EQ(usage.resident, std::nullopt);
  EXPECT_EQ(usage.read, std::nullopt);
  EXPECT_EQ(ReadProportionalMemory(root, 7), std::nullopt);
}

TEST_F(ProcessUsageTest, IsPartlyAbsentForAZombie) {
  Start(7, {.parent = 1, .session = 7});
  Put("/proc/7/status", "Name:\tsh\nState:\tZ (zombie)\nThreads:\t1\n");
  ProcessUsage usage = ReadProcessUsage(root, 7);
  EXPECT_EQ(usage.system, milliseconds(60));
  EXPECT_EQ(usage.resident, std::nullopt);
}

TEST_F(ProcessUsageTest, ReadsARealProcess) {
  ProcessUsage usage = ReadProcessUsage(SystemRoot(), getpid());
  EXPECT_TRUE(usage.user && usage.threads && usage.resident);
  EXPECT_THAT(ProcessTree(SystemRoot(), getpid()), ElementsAre(getpid()));
}

TEST_F(ProcessUsageTest, FindsDescendantsAndNothingElse) {
  Start(1, {.parent = 0, .session = 1});
  Start(50, {.parent = 1, .session = 50});  // the shell
  Start(60, {.parent = 50, .session = 50});
  Start(61, {.parent = 60, .session = 50});
  Start(62, {.parent = 50, .session = 50});  // another job of the shell
  EXPECT_THAT(ProcessTree(root, 60), ElementsAre(60, 61));
}

TEST_F(ProcessUsageTest, FindsAChildWithASmallerPidThanItsParent) {
  Start(200, {.parent = 300, .session = 50});
  Start(300, {.parent = 400, .session = 50});
  Start(400, {.parent = 50, .session = 50});
  EXPECT_THAT(ProcessTree(root, 400), ElementsAre(200, 300, 400));
}

TEST_F(ProcessUsageTest, FindsMembersOfTheSessionWhoseParentHasEnded) {
  Start(60, {.parent = 1, .session = 60});
  Start(70, {.parent = 1, .session = 60});  // forked twice
  Start(71, {.parent = 70, .session = 60});
  EXPECT_THAT(ProcessTree(root, 60), ElementsAre(60, 70, 71));
}

TEST_F(ProcessUsageTest, FindsMembersOfASessionADescendantLeads) {
  Start(60, {.parent = 1, .session = 50});
  Start(61, {.parent = 60, .session = 61});
  Start(70, {.parent = 1, .session = 61});
  EXPECT_THAT(ProcessTree(root, 60), ElementsAre(60, 61, 70));
}

TEST_F(ProcessUsageTest, FindsProcessesThatOutliveTheFirst) {
  Start(70, {.parent = 1, .session = 60});
  EXPECT_THAT(ProcessTree(root, 60), ElementsAre(70));
  EXPECT_THAT(ProcessTree(root, 61), IsEmpty());
}

TEST_F(ProcessUsageTest, SkipsProcessesWhoseRelationsAreUnknown) {
  Start(60, {.parent = 1, .session = 50});
  Start(61, {.parent = 60, .session = 50});
  Put("/proc/62/stat", "");  // has just ended
  Put("/proc/63/stat", "63 (sh) S 60 1");
  EXPECT_THAT(ProcessTree(root, 60), ElementsAre(60, 61));
}

TEST_F(ProcessUsageTest, IsAbsentWithoutACommandInParentheses) {
  Put("/proc/7/stat", "7 sh S 1 1 7 0 -1 0 1 2 3 4 5 6 7 8 20 0 1\n");
  EXPECT_EQ(ReadProcessUsage(root, 7).minor_faults, std::nullopt);
}

TEST_F(ProcessUsageTest, AnonymousMemoryNeedsBothParts) {
  Put("/proc/7/status", "RssAnon:\t 8 kB\n");
  Put("/proc/8/status", "RssShmem:\t 8 kB\n");
  EXPECT_EQ(ReadProcessUsage(root, 7).resident_anonymous, std::nullopt);
  EXPECT_EQ(ReadProcessUsage(root, 8).resident_anonymous, std::nullopt);
}

TEST_F(ProcessUsageTest, StorageTrafficNeedsBothCounters) {
  Put("/proc/7/io", "read_bytes: 100\n");
  Put("/proc/8/io", "write_bytes: 100\n");
  EXPECT_FALSE(ReadStorageTraffic(root, {7}).has_value());
  EXPECT_FALSE(ReadStorageTraffic(root, {8}).has_value());
  auto none = ReadStorageTraffic(root, {});
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->read, Bytes{0});
}

}  // namespace
}  // namespace mete
