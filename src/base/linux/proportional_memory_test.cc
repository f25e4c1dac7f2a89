#include "linux/proportional_memory.h"

#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ProportionalMemoryTest : public testing::Test {
 protected:
  void Put(int pid, int kilobytes) {
    auto file = root.Locate("/proc/" + std::to_string(pid) + "/smaps_rollup");
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(WriteFileAtomically(
                    file,
                    "00400000-7ffd ---p 0 00:00 0 [rollup]\nRss: 99 kB\n"
                    "Pss:      " +
                        std::to_string(kilobytes) + " kB\n")
                    .ok());
  }

  Bytes Highest() const { return memory.highest().value().bytes; }

  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root{folder.path()};
  FakeClock clock;
  ProportionalMemory memory{root, clock};
  std::function<std::vector<pid_t>()> both = [] {
    return std::vector<pid_t>{7, 8};
  };
};

TEST_F(ProportionalMemoryTest, IsTheSumOverAllProcesses) {
  Put(7, 100);
  Put(8, 20);
  EXPECT_FALSE(memory.highest().has_value());
  memory.LookIfDue(both, {});
  EXPECT_EQ(Highest(), Kibibytes(120));
}

TEST_F(ProportionalMemoryTest, IsReadAtMostOnceASecond) {
  Put(7, 100);
  memory.LookIfDue(both, {});
  Put(7, 200);
  clock.Advance(milliseconds(999));
  memory.LookIfDue(both, {});
  EXPECT_EQ(Highest(), Kibibytes(100));
  clock.Advance(milliseconds(1));
  memory.LookIfDue(both, {});
  EXPECT_EQ(Highest(), Kibibytes(200));
}

TEST_F(ProportionalMemoryTest, IsReadLessOftenWhenReadingIsSlow) {
  Put(7, 100);
  clock.StepPerReading(milliseconds(5));  // a large process
  memory.LookIfDue(both, {});
  clock.StepPerReading(milliseconds(0));
  Put(7, 200);
  clock.Advance(milliseconds(4990));
  memory.LookIfDue(both, {});
  EXPECT_EQ(Highest(), Kibibytes(100));
  clock.Advance(milliseconds(10));
  memory.LookIfDue(both, {});
  EXPECT_EQ(Highest(), Kibibytes(200));
}

TEST_F(ProportionalMemoryTest, KeepsItsHighestValueAndItsTime) {
  Put(7, 100);
  clock.Advance(seconds(3));
  memory.Look(both, {});
  Put(7, 50);
  clock.Advance(seconds(1));
  memory.Look(both, {});
  memory.Look([] { return std::vector<pid_t>{}; }, {});
  EXPECT_EQ(Highest(), Kibibytes(100));
  EXPECT_EQ(memory.highest()->at, seconds(3));
}

TEST_F(ProportionalMemoryTest, IsReadSoonerIfMemoryGrows) {
  Put(7, 100);
  memory.LookIfDue(both, Kibibytes(100));
  Put(7, 200);
  clock.Advance(milliseconds(10));
  memory.LookIfDue(both, Kibibytes(105));  // not enough
  EXPECT_EQ(Highest(), Kibibytes(100));
  memory.LookIfDue(both, Bytes{Kibibytes(105).count + 1});
  EXPECT_EQ(Highest(), Kibibytes(200));
}

TEST_F(ProportionalMemoryTest, IsNotReadForMoreThanATwentiethOfTheTime) {
  Put(7, 100);
  clock.StepPerReading(milliseconds(5));  // a large process
  memory.LookIfDue(both, Kibibytes(100));
  clock.StepPerReading(milliseconds(0));
  Put(7, 200);
  clock.Advance(milliseconds(80));
  memory.LookIfDue(both, Kibibytes(200));
  EXPECT_EQ(Highest(), Kibibytes(100));
  clock.Advance(milliseconds(20));
  memory.LookIfDue(both, Kibibytes(200));
  EXPECT_EQ(Highest(), Kibibytes(200));
}

TEST_F(ProportionalMemoryTest, IsLeftOutUnlessItWasReadNearThePeak) {
  Put(7, 16);
  memory.Look(both, Kibibytes(20));
  EXPECT_EQ(memory.NearPeak(Kibibytes(22)).value().bytes, Kibibytes(16));
  EXPECT_FALSE(memory.NearPeak(Kibibytes(100)).has_value());
  memory.Look(both, Bytes{900});
  EXPECT_TRUE(memory.NearPeak(Bytes{1000}).has_value());
  EXPECT_FALSE(memory.NearPeak(Bytes{1010}).has_value());
  EXPECT_TRUE(memory.NearPeak(std::nullopt).has_value());
}

TEST_F(ProportionalMemoryTest, HasTheLastTimeAtWhichItWasHighest) {
  Put(7, 100);
  memory.Look(both, Kibibytes(100));
  clock.Advance(seconds(2));
  memory.Look(both, Kibibytes(110));
  EXPECT_EQ(memory.highest()->at, seconds(2));
  EXPECT_TRUE(memory.NearPeak(Kibibytes(120)).has_value());
}

TEST_F(ProportionalMemoryTest, IsAbsentNearAPeakIfItWasNeverRead) {
  EXPECT_FALSE(memory.NearPeak(Kibibytes(1)).has_value());
}

}  // namespace
}  // namespace mete
