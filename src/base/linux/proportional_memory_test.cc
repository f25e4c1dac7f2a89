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
  EXPECT_EQ(memory.last(), std::nullopt);
  memory.LookIfDue(both);
  EXPECT_EQ(memory.last(), Kibibytes(120));
}

TEST_F(ProportionalMemoryTest, IsReadAtMostOnceASecond) {
  Put(7, 100);
  memory.LookIfDue(both);
  Put(7, 200);
  clock.Advance(milliseconds(999));
  memory.LookIfDue(both);
  EXPECT_EQ(memory.last(), Kibibytes(100));
  clock.Advance(milliseconds(1));
  memory.LookIfDue(both);
  EXPECT_EQ(memory.last(), Kibibytes(200));
}

TEST_F(ProportionalMemoryTest, IsReadLessOftenWhenReadingIsSlow) {
  Put(7, 100);
  clock.StepPerReading(milliseconds(5));  // a large process
  memory.LookIfDue(both);
  clock.StepPerReading(milliseconds(0));
  Put(7, 200);
  clock.Advance(milliseconds(4990));
  memory.LookIfDue(both);
  EXPECT_EQ(memory.last(), Kibibytes(100));
  clock.Advance(milliseconds(10));
  memory.LookIfDue(both);
  EXPECT_EQ(memory.last(), Kibibytes(200));
}

TEST_F(ProportionalMemoryTest, KeepsItsLastValueAfterTheEnd) {
  Put(7, 100);
  memory.Look(both);
  memory.Look([] { return std::vector<pid_t>{}; });
  EXPECT_EQ(memory.last(), Kibibytes(100));
}

}  // namespace
}  // namespace mete
