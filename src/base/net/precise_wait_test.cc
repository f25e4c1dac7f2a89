#include "net/precise_wait.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST(PreciseWait, SpinsThroughShortWaitsAndTheEndOfLongOnes) {
  EXPECT_EQ(TimeToSleep(microseconds(51), microseconds(50)), nanoseconds(0));
  EXPECT_EQ(TimeToSleep(microseconds(200), microseconds(50)), nanoseconds(0));
  EXPECT_EQ(TimeToSleep(microseconds(201), microseconds(50)),
            microseconds(151));
  EXPECT_EQ(TimeToSleep(microseconds(900), microseconds(50)),
            microseconds(850));
}

TEST(PreciseWait, SleepsThroughWithoutASpin) {
  EXPECT_EQ(TimeToSleep(microseconds(7), microseconds(0)), microseconds(7));
  EXPECT_EQ(TimeToSleep(nanoseconds(0), microseconds(0)), nanoseconds(0));
}

}  // namespace
}  // namespace mete
