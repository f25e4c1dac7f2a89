#include "stats/stopping.h"

#include <gtest/gtest.h>

#include "stats/test_series.h"

namespace mete {
namespace {

SteadyPart MakePart(size_t count, Interval interval, double tau = 1) {
  return {.series = std::vector<double>(count, 1.0),
          .median = 1.0,
          .interval = interval,
          .tau = tau};
}

constexpr Interval kNarrow = {.low = 0.985, .high = 1.015};

TEST(SteadyPart, HasNoMedianWithoutValues) {
  SteadyPart part = FindSteadyPart({}, {.least_warmup = 1});
  EXPECT_EQ(part.median, std::nullopt);
  EXPECT_FALSE(IsPrecise(part, 0.02));
}

TEST(SteadyPart, RemovesExactlyTheRequestedWarmup) {
  std::vector<double> series = {9, 9, 9, 1, 1, 1};
  SteadyPart part = FindSteadyPart(series, {.warmup = 2, .least_warmup = 5});
  EXPECT_EQ(part.warmup, 2u);
  EXPECT_EQ(part.series, (std::vector<double>{9, 1, 1, 1}));
}

TEST(SteadyPart, RemovesAtLeastTheFirstCall) {
  std::vector<double> series = {9, 1, 1, 1};
  EXPECT_EQ(FindSteadyPart(series, {.least_warmup = 1}).warmup, 1u);
}

TEST(IsPrecise, ChecksBothSides) {
  EXPECT_TRUE(IsPrecise(MakePart(200, kNarrow), 0.02));
  EXPECT_FALSE(IsPrecise(MakePart(200, {.low = 0.97, .high = 1.01}), 0.02));
  EXPECT_FALSE(IsPrecise(MakePart(200, {.low = 0.99, .high = 1.03}), 0.02));
}

TEST(NextLook, GrowsByHalf) {
  EXPECT_EQ(NextLook(0), 120u);
  EXPECT_EQ(NextLook(119), 120u);
  EXPECT_EQ(NextLook(120), 180u);
  EXPECT_EQ(NextLook(180), 270u);
}

TEST(StoppingRule, StopsAtTheSecondPreciseLookInARow) {
  StoppingRule rule(0.02);
  EXPECT_FALSE(rule.ShouldStop(MakePart(120, kNarrow)));
  EXPECT_TRUE(rule.ShouldStop(MakePart(180, kNarrow)));
}

TEST(StoppingRule, RestartsCountingAfterAnImpreciseLook) {
  StoppingRule rule(0.02);
  EXPECT_FALSE(rule.ShouldStop(MakePart(120, kNarrow)));
  EXPECT_FALSE(rule.ShouldStop(MakePart(180, {.low = 0.9, .high = 1.1})));
  EXPECT_FALSE(rule.ShouldStop(MakePart(270, kNarrow)));
  EXPECT_TRUE(rule.ShouldStop(MakePart(405, kNarrow)));
}

TEST(StoppingRule, DoesNotStopOnFewIndependentValues) {
  StoppingRule rule(0.02);
  EXPECT_FALSE(rule.ShouldStop(MakePart(1000, kNarrow, 11)));
  EXPECT_FALSE(rule.ShouldStop(MakePart(1000, kNarrow, 11)));
}

TEST(IsPrecise, IncludesTheTargetItself) {
  // 1 - 0.25 and 1 + 0.25 are exact.
  EXPECT_TRUE(IsPrecise(MakePart(200, {.low = 0.75, .high = 1.25}), 0.25));
  SteadyPart part = MakePart(200, kNarrow);
  part.interval.reset();
  EXPECT_FALSE(IsPrecise(part, 0.02));
}

TEST(StoppingRule, NeedsExactlyAHundredIndependentValues) {
  StoppingRule rule(0.02);
  EXPECT_FALSE(rule.ShouldStop(MakePart(100, kNarrow)));
  EXPECT_TRUE(rule.ShouldStop(MakePart(100, kNarrow)));
  StoppingRule fewer(0.02);
  EXPECT_FALSE(fewer.ShouldStop(MakePart(99, kNarrow)));
  EXPECT_FALSE(fewer.ShouldStop(MakePart(99, kNarrow)));
}

TEST(SteadyPart, AWarmupBeyondTheSeriesLeavesNothing) {
  SteadyPart part = FindSteadyPart(std::vector<double>{1, 2}, {.warmup = 5});
  EXPECT_EQ(part.warmup, 2u);
  EXPECT_TRUE(part.series.empty());
}

TEST(SteadyPart, HasTheMedianAndItsInterval) {
  std::vector<double> series;
  for (int i = 1; i <= 20; ++i) series.push_back(i * 7 % 20 + 1);
  SteadyPart part = FindSteadyPart(series, {.warmup = 0});
  EXPECT_EQ(part.median, 10.5);
  ASSERT_TRUE(part.interval);
  EXPECT_LT(part.interval->low, 10.5);
  EXPECT_GT(part.interval->high, 10.5);
}

}  // namespace
}  // namespace mete
