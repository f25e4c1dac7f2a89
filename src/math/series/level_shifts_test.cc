#include "series/level_shifts.h"

#include <gtest/gtest.h>

#include "series/test_waves.h"

namespace mete {
namespace {

TEST(FindLevelShifts, FindsAStepAndItsHeight) {
  Random random(1);
  const auto series = SeriesFrom(1000, [&](double t) {
    return (t < 400 ? 10 : 4) + random.Normal() * 0.5;
  });
  const auto shifts = FindLevelShifts(series);
  ASSERT_EQ(shifts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(shifts[0].at), 400, 10);
  EXPECT_NEAR(shifts[0].change, -6, 0.3);
  EXPECT_NEAR(WithoutShifts(series, shifts)[10], 4, 2);
}

TEST(FindLevelShifts, NoiseALineAndShortSeriesHaveNone) {
  int found = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    found += FindLevelShifts(
                 SeriesFrom(500, [&](double) { return random.Normal(); }))
                     .empty()
                 ? 0
                 : 1;
  }
  EXPECT_EQ(found, 0);
  EXPECT_TRUE(
      FindLevelShifts(SeriesFrom(500, [](double t) { return t; })).empty());
  EXPECT_TRUE(FindLevelShifts({}).empty());
  EXPECT_TRUE(FindLevelShifts(std::vector<double>(2, 1.0)).empty());
}

TEST(RobustSlope, RandomWalksRarelyHaveASignificantTrend) {
  int significant = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    double value = 0;
    const auto slope = RobustSlope(
        SeriesFrom(480, [&](double) { return value += random.Normal(); }));
    significant += slope->interval.low > 0 || slope->interval.high < 0 ? 1 : 0;
  }
  EXPECT_LE(significant, 15);
}

TEST(RobustSlope, ALineInNoiseIsSignificant) {
  Random random(3);
  const auto slope = RobustSlope(
      SeriesFrom(480, [&](double t) { return 0.01 * t + random.Normal(); }));
  EXPECT_GT(slope->interval.low, 0.007);
  EXPECT_LT(slope->interval.high, 0.013);
}

TEST(RobustSlope, IsNotMovedByAnOutlier) {
  auto series = SeriesFrom(100, [](double t) { return 2 * t; });
  series[50] = 1e9;
  const auto slope = RobustSlope(series);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->slope, 2, 0.01);
  EXPECT_GT(slope->interval.low, 0);
  EXPECT_FALSE(RobustSlope(std::vector<double>(7, 1.0)));
}

}  // namespace
}  // namespace mete
