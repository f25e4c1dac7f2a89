#include "domain/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(AxisScale, CoversTheMaximumInRoundSteps) {
  AxisScale scale = ScaleFor(47, {});
  EXPECT_DOUBLE_EQ(scale.step, 10);
  EXPECT_DOUBLE_EQ(scale.end, 50);
}

TEST(AxisScale, StepsBytesInPowersOfTwo) {
  AxisScale scale = ScaleFor(400 << 20, {.binary = true});
  EXPECT_DOUBLE_EQ(scale.step, 128 << 20);
  EXPECT_DOUBLE_EQ(scale.end, 512 << 20);
}

TEST(AxisScale, CoversBandsAndFailures) {
  Plot plot{.series = {{.points = {{.x = 1, .y = 2, .low = 1, .high = 9}},
                        .failures = {40}}}};
  EXPECT_GE(ScaleOfX(plot).end, 40);
  EXPECT_GE(ScaleOfY(plot).end, 9);
}

TEST(AxisScale, IsLogarithmicOverAWideSpan) {
  Plot plot{
      .y = {.may_be_log = true},
      .series = {{.points = {{.x = 1, .y = 60e-6}, {.x = 2, .y = 0.09}}}}};
  AxisScale scale = ScaleOfY(plot);
  EXPECT_TRUE(scale.log);
  EXPECT_DOUBLE_EQ(scale.begin, 50e-6);
  EXPECT_DOUBLE_EQ(scale.end, 0.1);
  std::vector<double> tics = scale.Tics();
  ASSERT_EQ(tics.size(), 11u);  // 50, 100, 200, 500 us, …, 100 ms
  EXPECT_DOUBLE_EQ(tics[1], 100e-6);
  EXPECT_NEAR(scale.At(1), 0.1, 1e-9);
  plot.series[0].points[0].y = 0.006;  // a factor of 15
  EXPECT_FALSE(ScaleOfY(plot).log);
  plot.series[0].points[0].y = 0;  // has no place on a logarithmic axis
  EXPECT_FALSE(ScaleOfY(plot).log);
}

TEST(AxisScale, HasALengthWithoutValues) {
  EXPECT_GT(ScaleOfX({}).end, 0);
  EXPECT_GT(ScaleFor({}).end, 0);
}

TEST(BarChart, ListsEachKindOnce) {
  BarChart chart{.groups = {{.label = "x", .bars = {{"a"}, {"b"}}},
                            {.label = "y", .bars = {{"b"}, {"c"}}}}};
  EXPECT_THAT(ListKinds(chart), testing::ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace mete
