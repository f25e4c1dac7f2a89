#include "linux/energy_sum.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::seconds;

EnergyCounter Package(uint64_t microjoules) {
  return {.source = "rapl/package-0",
          .total = Microjoules{microjoules},
          .range = Microjoules{10'000'000}};
}

TEST(EnergySum, IsAbsentWithoutCountersAndPower) {
  EXPECT_FALSE(EnergySum().Add({}, std::nullopt, seconds(0)).has_value());
}

TEST(EnergySum, SumsACounterThatWraps) {
  EnergySum sum;
  EXPECT_EQ(sum.Add({Package(9'000'000)}, std::nullopt, seconds(0)), 0);
  auto joules = sum.Add({Package(1'000'000)}, std::nullopt, seconds(1));
  EXPECT_NEAR(*joules, 2, 1e-5);
}

TEST(EnergySum, SumsPowerOverTime) {
  EnergySum sum;
  EXPECT_EQ(sum.Add({}, Watts{4}, seconds(0)), 0);
  EXPECT_NEAR(*sum.Add({}, Watts{6}, seconds(2)), 10, 1e-9);
  EXPECT_NEAR(*sum.Add({}, Watts{6}, seconds(3)), 16, 1e-9);
}

// A charging battery reports no power.
TEST(EnergySum, IgnoresTimeInWhichNoPowerWasReported) {
  EnergySum sum;
  sum.Add({}, Watts{10}, seconds(0));
  EXPECT_NEAR(*sum.Add({}, Watts{10}, seconds(3)), 30, 1e-9);
  EXPECT_FALSE(sum.Add({}, std::nullopt, seconds(6)));
  EXPECT_NEAR(*sum.Add({}, Watts{10}, seconds(20'000)), 30, 1e-9);
  EXPECT_NEAR(*sum.Add({}, Watts{10}, seconds(20'003)), 60, 1e-9);
}

TEST(EnergySum, NeverDecreases) {
  EnergySum sum;
  sum.Add({}, Watts{-2}, seconds(0));
  EXPECT_EQ(sum.Add({}, Watts{-2}, seconds(3)), 0);
}

}  // namespace
}  // namespace mete
