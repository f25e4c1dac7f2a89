#include "stats/interval.h"

#include <gtest/gtest.h>

#include <numeric>

#include "stats/quantile.h"
#include "stats/test_series.h"

namespace mete {
namespace {

std::vector<double> OneTo(size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(QuantileInterval, NeedsSixValuesForAMedian) {
  EXPECT_FALSE(QuantileInterval({}, {}).has_value());
  EXPECT_FALSE(QuantileInterval(OneTo(1), {}).has_value());
  EXPECT_FALSE(QuantileInterval(OneTo(5), {}).has_value());
  EXPECT_TRUE(QuantileInterval(OneTo(6), {}).has_value());
}

TEST(QuantileInterval, NeedsThreeHundredSixtyEightValuesForP99) {
  EXPECT_FALSE(QuantileInterval(OneTo(367), {.p = 0.99}).has_value());
  EXPECT_TRUE(QuantileInterval(OneTo(368), {.p = 0.99}).has_value());
}

// 100 values have an upper bound of p50 and of p95, but not of p99.
TEST(BoundQuantile, EachEndExistsOnItsOwn) {
  QuantileBounds p95 = BoundQuantile(OneTo(100), {.p = 0.95});
  EXPECT_TRUE(p95.low && p95.high);
  QuantileBounds p99 = BoundQuantile(OneTo(100), {.p = 0.99});
  ASSERT_TRUE(p99.low.has_value());
  EXPECT_NEAR(*p99.low, 97, 1);
  EXPECT_FALSE(p99.high.has_value());
  EXPECT_FALSE(BoundQuantile({}, {}).low.has_value());
}

// Of 20 values the ranks 6 and 15 enclose the median with 95.86 %, 7 and 14
// with 88.5 %; 95 % lies close to the wider pair.
TEST(QuantileInterval, LiesBetweenTheRanksOfTheBinomial) {
  auto interval = QuantileInterval(OneTo(20), {});
  ASSERT_TRUE(interval.has_value());
  EXPECT_GT(interval->low, 6);
  EXPECT_LT(interval->low, 6.3);
  EXPECT_GT(interval->high, 14.7);
  EXPECT_LT(interval->high, 15);
}

TEST(QuantileInterval, IsSymmetricAboutAMedian) {
  auto interval = QuantileInterval(OneTo(101), {});
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low + interval->high, 102, 1e-9);
}

TEST(QuantileInterval, IsTwiceAsWideForFourfoldDependence) {
  auto width = [](std::optional<AutocorrelationTime> dependence) {
    auto found = QuantileInterval(OneTo(4000), {.dependence = dependence});
    return found->high - found->low;
  };
  EXPECT_NEAR(width(AutocorrelationTime{.tau = 4, .degrees = 1e6}) /
                  width(std::nullopt),
              2, 0.02);
}

TEST(QuantileInterval, IsWiderWhenTheDependenceIsPoorlyKnown) {
  auto width = [](double degrees) {
    auto found = QuantileInterval(
        OneTo(4000),
        {.dependence = AutocorrelationTime{.tau = 4, .degrees = degrees}});
    return found->high - found->low;
  };
  EXPECT_GT(width(5), 1.2 * width(500));
}

TEST(QuantileInterval, IsAbsentWhenDependenceLeavesTooFewValues) {
  AutocorrelationTime strong{.tau = 20, .degrees = 100};
  EXPECT_FALSE(
      QuantileInterval(OneTo(100), {.dependence = strong}).has_value());
}

TEST(QuantileInterval, GrowsWithTheConfidence) {
  auto narrow = QuantileInterval(OneTo(100), {.confidence = 0.8});
  auto wide = QuantileInterval(OneTo(100), {.confidence = 0.99});
  EXPECT_LT(wide->low, narrow->low);
  EXPECT_GT(wide->high, narrow->high);
}

TEST(IntervalOfSeries, IsAbsentWithoutValues) {
  EXPECT_FALSE(IntervalOfSeries({}, {}, 0.5).interval.has_value());
}

TEST(IntervalOfSeries, OfAConstantIsThatConstant) {
  std::vector<double> series(100, 0.008);
  auto found = IntervalOfSeries(series, series, 0.5);
  ASSERT_TRUE(found.interval.has_value());
  EXPECT_EQ(found.interval->low, 0.008);
  EXPECT_EQ(found.interval->high, 0.008);
  EXPECT_EQ(found.tau, 1);
}

// Five values above p99 out of 500 cannot show that they cluster; the 50 above
// p90 can.
TEST(IntervalOfSeries, EstimatesTheDependenceOfRareValuesFromCommonOnes) {
  auto series = LogNormalSeries({.phi = 0.9}, 3).Take(500);
  EXPECT_GT(IntervalOfSeries(series, Sorted(series), 0.99).tau, 2);
}

// The interpolated ranks of Nyblom's equation, by another program.
TEST(QuantileInterval, FollowsTheEquation) {
  auto median = QuantileInterval(OneTo(20), {});
  EXPECT_NEAR(median->low, 6.2352342158859, 1e-9);
  EXPECT_NEAR(median->high, 14.764765784114, 1e-9);
  auto p90 = QuantileInterval(OneTo(100), {.p = 0.9});
  EXPECT_NEAR(p90->low, 84.336293929285, 1e-9);
  EXPECT_NEAR(p90->high, 95.922911984163, 1e-9);
}

TEST(QuantileInterval, OfDependentValuesStretchesTheRanks) {
  // 40 values count as 20: ranks r become 0.5 + 2 (r - 0.5).
  auto found = QuantileInterval(OneTo(40), {.dependence = AutocorrelationTime{
                                                .tau = 1.99, .degrees = 1e9}});
  EXPECT_NEAR(found->low, 0.5 + 2 * (6.2352342158859 - 0.5), 1e-6);
  EXPECT_NEAR(found->high, 0.5 + 2 * (14.764765784114 - 0.5), 1e-6);
}

TEST(QuantileInterval, IsCautiousByStudentsQuantile) {
  // t(0.975, 10) / z(0.975) = 1.136827; its square widens the excess over 1.
  auto found = QuantileInterval(OneTo(1000), {.dependence = AutocorrelationTime{
                                                  .tau = 3, .degrees = 10}});
  auto known = QuantileInterval(
      OneTo(1000), {.dependence = AutocorrelationTime{
                        .tau = 1 + 2 * 1.136827 * 1.136827, .degrees = 1e9}});
  EXPECT_NEAR(found->low, known->low, 0.5);
  EXPECT_NEAR(found->high, known->high, 0.5);
}

TEST(IntervalOfSeries, LooksAtBothTails) {
  auto series = LogNormalSeries({.phi = 0.9}, 3).Take(500);
  EXPECT_GT(IntervalOfSeries(series, Sorted(series), 0.01).tau, 2);
}

// Two values bound a median with a confidence of 1/2.
TEST(QuantileInterval, OfTwoValuesExistsForALowConfidence) {
  EXPECT_TRUE(QuantileInterval(OneTo(2), {.confidence = 0.4}).has_value());
  EXPECT_FALSE(QuantileInterval(OneTo(2), {.confidence = 0.6}).has_value());
}

TEST(BoundQuantile, OfFiveValuesHasNoEnd) {
  QuantileBounds bounds = BoundQuantile(OneTo(5), {});
  EXPECT_FALSE(bounds.low.has_value());
  EXPECT_FALSE(bounds.high.has_value());
}

// Where 50 of n values lie beyond, but not further out than the quantile
// itself.
TEST(IntervalOfSeries, EstimatesTheDependenceWhere50ValuesAreBeyond) {
  auto series = LogNormalSeries({.phi = 0.9}, 4).Take(500);
  const std::vector<double> sorted = Sorted(series);
  auto at = [&](double p) {
    return IndicatorAutocorrelationTime(series, *QuantileOfSorted(sorted, p))
        .tau;
  };
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.99).tau, at(1 - 50.0 / 500));
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.01).tau, at(50.0 / 500));
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.8).tau, at(1 - (1 - 0.8)));
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.3).tau, at(0.3));
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.5).tau, at(0.5));
}

TEST(IntervalOfSeries, OfFewValuesEstimatesTheDependenceAtTheMedian) {
  auto series = LogNormalSeries({.phi = 0.9}, 4).Take(60);
  const std::vector<double> sorted = Sorted(series);
  const double at_median =
      IndicatorAutocorrelationTime(series, *QuantileOfSorted(sorted, 0.5)).tau;
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.5).tau, at_median);
  EXPECT_EQ(IntervalOfSeries(series, sorted, 0.9).tau, at_median);
}

TEST(BoundsOfSeries, HasAsManyDegreesAsClusters) {
  auto series = LogNormalSeries({.phi = 0.9}, 4).Take(2000);
  const std::vector<double> sorted = Sorted(series);
  AutocorrelationTime dependence =
      IndicatorAutocorrelationTime(series, *QuantileOfSorted(sorted, 0.9));
  ASSERT_GT(dependence.tau, 2);
  const double clusters = 2000 * (1 - 0.9) / dependence.tau;
  ASSERT_LT(clusters, dependence.degrees);
  dependence.degrees = clusters;
  const QuantileBounds expected = BoundQuantile(
      sorted, {.p = 0.9, .confidence = 0.9, .dependence = dependence});
  const QuantileBounds found = BoundsOfSeries(series, sorted, 0.9, 0.9);
  ASSERT_TRUE(found.low && found.high && expected.low && expected.high);
  EXPECT_NEAR(*found.low, *expected.low, 1e-12);
  EXPECT_NEAR(*found.high, *expected.high, 1e-12);
}

}  // namespace
}  // namespace mete
