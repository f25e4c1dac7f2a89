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
