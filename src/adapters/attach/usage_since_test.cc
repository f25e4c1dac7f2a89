#include "adapters/attach/usage_since.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(UsageSince, SubtractsWhatWasUsedBefore) {
  UsageSince since({.cpu = Seconds(100), .disk_read = Bytes{50}});
  ResourceUsage usage = since.Update(
      {.cpu = Seconds(103), .disk_read = Bytes{70}, .disk_written = Bytes{9}});
  EXPECT_EQ(usage.cpu, Seconds(3));
  EXPECT_EQ(usage.disk_read, Bytes{20});
  EXPECT_FALSE(usage.disk_written.has_value()) << "not known at the start";
  EXPECT_FALSE(usage.oom_kills.has_value());
}

TEST(UsageSince, ThePeakIsTheHighestReadingSinceTheStart) {
  UsageSince since({});
  since.Update({.memory = Mebibytes(10), .memory_peak = Mebibytes(900)});
  since.Update({.memory = Mebibytes(30)});
  ResourceUsage usage = since.Update({.memory = Mebibytes(20)});
  EXPECT_EQ(usage.memory, Mebibytes(20));
  EXPECT_EQ(usage.memory_peak, Mebibytes(30));
}

TEST(UsageSince, NeverShrinksWhenAProcessLeavesTheTree) {
  UsageSince since({.cpu = Seconds(10)});
  since.Update({.cpu = Seconds(14)});
  EXPECT_EQ(since.Update({.cpu = Seconds(12)}).cpu, Seconds(4));
  EXPECT_EQ(since.Update({.cpu = Seconds(1)}).cpu, Seconds(4));
}

}  // namespace
}  // namespace mete
