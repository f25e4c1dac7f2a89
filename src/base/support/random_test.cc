#include "support/random.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Random, TheSameSeedGivesTheSameNumbersOnEveryMachine) {
  Random random(42);
  // Computed once with the authors' reference implementation of xoshiro256++
  // and splitmix64.
  EXPECT_EQ(random.Next(), 15021278609987233951u);
  EXPECT_EQ(random.Next(), 5881210131331364753u);
}

TEST(Random, UniformStaysInItsRangeAndAveragesAHalf) {
  Random random(1);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    double draw = random.Uniform();
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, 1);
    sum += draw;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(2);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 100'000; ++i) {
    double draw = random.Normal();
    sum += draw;
    squares += draw * draw;
  }
  EXPECT_NEAR(sum / 100'000, 0, 0.02);
  EXPECT_NEAR(squares / 100'000, 1, 0.03);
}

TEST(Random, BelowReachesEveryValue) {
  Random random(3);
  std::array<int, 3> seen{};
  for (int i = 0; i < 300; ++i) ++seen[random.Below(3)];
  for (int count : seen) EXPECT_GT(count, 50);
}

TEST(Random, DerivedSeedsDifferByName) {
  EXPECT_NE(DeriveSeed(1, "conv1.weight"), DeriveSeed(1, "conv2.weight"));
  EXPECT_NE(DeriveSeed(1, "conv1.weight"), DeriveSeed(2, "conv1.weight"));
}

}  // namespace
}  // namespace mete
