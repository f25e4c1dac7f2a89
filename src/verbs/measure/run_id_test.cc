#include "measure/run_id.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

system_clock::time_point At(int64_t ms) {
  return system_clock::time_point(milliseconds(ms));
}

// The specification's own example: 1469918176385 is 01ARYZ6S41.
TEST(RunId, StartsWithTheTimeAsInTheUlidSpecification) {
  EXPECT_EQ(MakeRunId(At(1469918176385), {}), "01ARYZ6S410000000000000000");
}

TEST(RunId, ContainsAll80RandomBits) {
  RunEntropy ones{.high = 0xFFFF, .low = ~uint64_t{0}};
  EXPECT_EQ(MakeRunId(At(0), ones), "0000000000ZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(MakeRunId(At(0), {.high = 1}), "0000000000000G000000000000");
  EXPECT_EQ(MakeRunId(At(0), {.low = 1}), "00000000000000000000000001");
}

TEST(RunId, SortsByTime) {
  RunEntropy ones{.high = 0xFFFF, .low = ~uint64_t{0}};
  EXPECT_LT(MakeRunId(At(1714566600000), ones),
            MakeRunId(At(1714566600001), {}));
}

}  // namespace
}  // namespace mete
