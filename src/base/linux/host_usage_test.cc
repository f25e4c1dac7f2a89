#include "linux/host_usage.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

TEST(ParseCoreTimes, CountsTheTimeOfEveryCore) {
  auto cores = ParseCoreTimes(Recorded("x86").TextOrNone("/proc/stat"));
  ASSERT_EQ(cores.size(), 4u);
  EXPECT_EQ(cores[1].core, 1);
  EXPECT_EQ(cores[1].user, milliseconds(10) * (1041013 + 821));
  EXPECT_EQ(cores[1].system, milliseconds(10) * (114991 + 12 + 1586));
  EXPECT_EQ(cores[1].idle, milliseconds(3494330));
  EXPECT_EQ(cores[1].waiting, milliseconds(31640));
  EXPECT_EQ(cores[1].stolen, milliseconds(56680));
}

TEST(ParseCoreTimes, KeepsCoreNumbersWhenSomeCoresAreOffline) {
  auto cores = ParseCoreTimes(
      "cpu  3 0 0 0 0 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\n"
      "cpu3 2 0 0 0 0 0 0 0 0 0\nintr 1 2 3 4 5 6 7 8 9\n");
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_EQ(cores[1].core, 3);
  EXPECT_EQ(cores[1].user, milliseconds(20));
}

TEST(ParseHostMemory, CountsMemoryThatIsNotAvailable) {
  HostMemory memory =
      ParseHostMemory(Recorded("x86").TextOrNone("/proc/meminfo"));
  EXPECT_EQ(memory.total, Kibibytes(16309396));
  EXPECT_EQ(memory.used, Kibibytes(16309396 - 13350864));
  EXPECT_EQ(memory.swap_total, Kibibytes(1000444));
  EXPECT_EQ(memory.swap_used, Bytes{0});
}

TEST(ParseHostMemory, DoesNotGuessUsedMemoryOnAnOldKernel) {
  HostMemory memory = ParseHostMemory("MemTotal: 1024 kB\nMemFree: 512 kB\n");
  EXPECT_EQ(memory.total, Mebibytes(1));
  EXPECT_EQ(memory.used, std::nullopt);
  EXPECT_EQ(memory.swap_used, std::nullopt);
}

TEST(CoreTimes, SkipsACoreWhoseTimesOverflow) {
  // Each is less than the 292 years that a time can hold, two are more.
  const std::string years(" 900000000000");
  EXPECT_TRUE(
      ParseCoreTimes("cpu0" + years + years + " 0 0 0 0 0 0\n").empty());
  EXPECT_TRUE(
      ParseCoreTimes("cpu0 0 0" + years + " 0 0" + years + " 0 0\n").empty());
  EXPECT_EQ(ParseCoreTimes("cpu0 1 2 3 4 5 6 7 8\n").size(), 1u);
}

TEST(ParseHostMemory, LeavesOutNumbersThatContradictEachOther) {
  HostMemory memory = ParseHostMemory(
      "MemTotal: 100 kB\nMemAvailable: 101 kB\nSwapTotal: 8 kB\n");
  EXPECT_EQ(memory.used, std::nullopt);
  EXPECT_EQ(memory.swap_used, std::nullopt);
  EXPECT_EQ(ParseHostMemory("MemAvailable: 1 kB\n").used, std::nullopt);
  EXPECT_EQ(ParseHostMemory("MemTotal: 100 kB\nMemAvailable: 100 kB\n").used,
            Bytes{0});
}

TEST(CoreTimes, OfUpTo97YearsAreRead) {
  // 95 and 98 years in steps of 10 ms.
  EXPECT_EQ(ParseCoreTimes("cpu0 300000000000 0 0 0 0 0 0 0\n").size(), 1u);
  EXPECT_TRUE(ParseCoreTimes("cpu0 309000000000 0 0 0 0 0 0 0\n").empty());
  EXPECT_TRUE(ParseCoreTimes("cpu0 1 2 x 4 5 6 7 8\n").empty());
  EXPECT_TRUE(ParseCoreTimes("cpu0 1 2 3 4 5 6 7\n").empty());
}

}  // namespace
}  // namespace mete
