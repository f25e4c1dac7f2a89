#include "stats/ratio.h"

#include <gtest/gtest.h>

#include "stats/test_series.h"

namespace mete {
namespace {

TEST(RatioOfMedians, JoinsBothIntervals) {
  // 3-4-5 triangles of logarithms.
  auto found = RatioOfMedians(
      {.median = 1, .interval = Interval{std::exp(-0.04), std::exp(0.03)}},
      {.median = 2,
       .interval = Interval{2 * std::exp(-0.04), 2 * std::exp(0.03)}});
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->ratio, 2);
  ASSERT_TRUE(found->interval.has_value());
  EXPECT_NEAR(found->interval->low, 2 * std::exp(-0.05), 1e-12);
  EXPECT_NEAR(found->interval->high, 2 * std::exp(0.05), 1e-12);
}

TEST(RatioOfMedians, HasNoIntervalUnlessBothMediansHaveOne) {
  auto found =
      RatioOfMedians({.median = 1}, {.median = 3, .interval = Interval{2, 4}});
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->ratio, 3);
  EXPECT_FALSE(found->interval.has_value());
}

TEST(RatioOfMedians, IsAbsentForValuesThatAreNotPositive) {
  EXPECT_FALSE(RatioOfMedians({.median = 0}, {.median = 1}).has_value());
  EXPECT_FALSE(
      RatioOfMedians({.median = 1}, {.median = 1, .interval = Interval{0, 2}})
          .has_value());
}

TEST(MedianOfRatios, CancelsWhatChangesBothValuesOfAPair) {
  // The machine slows down to a third; second is always twice first.
  std::vector<double> first = {1, 1.5, 2, 2.5, 3, 3};
  std::vector<double> second = {2, 3, 4, 5, 6, 6};
  auto found = MedianOfRatios(first, second);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->ratio, 2);
  ASSERT_TRUE(found->interval.has_value());
  EXPECT_DOUBLE_EQ(found->interval->low, 2);
  EXPECT_DOUBLE_EQ(found->interval->high, 2);
}

TEST(MedianOfRatios, NeedsSixPairsForAnInterval) {
  std::vector<double> first = {1, 1, 1, 1, 1};
  std::vector<double> second = {2, 3, 2, 3, 2};
  auto found = MedianOfRatios(first, second);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->ratio, 2);
  EXPECT_FALSE(found->interval.has_value());
  EXPECT_FALSE(MedianOfRatios({}, {}).has_value());
}

// How often nominal 95 % intervals contain the true ratio of 1.1.
// METE_SIMULATED_SERIES sets the number of comparisons per line.
struct RatioCoverage {
  double pairs = 0;
  double medians = 0;
};

RatioCoverage CountCoverage(size_t n, double sigma, double drift) {
  constexpr double kTrue = 1.1;
  const int comparisons = SimulatedSeries(3000);
  RatioCoverage coverage;
  auto contains = [&](const std::optional<RatioEstimate>& found) {
    return found && found->interval && found->interval->low <= kTrue &&
                   kTrue <= found->interval->high
               ? 1.0 / comparisons
               : 0.0;
  };
  for (int i = 0; i < comparisons; ++i) {
    auto seed = static_cast<uint64_t>(i);
    std::vector<double> a =
        LogNormalSeries({.median = 1, .sigma = sigma}, 2 * seed).Take(n);
    std::vector<double> b =
        LogNormalSeries({.median = kTrue, .sigma = 2 * sigma}, 2 * seed + 1)
            .Take(n);
    for (size_t k = 0; k < n; ++k) {
      double factor =
          1 + drift * static_cast<double>(k) / static_cast<double>(n);
      a[k] *= factor;
      b[k] *= factor;
    }
    coverage.pairs += contains(MedianOfRatios(a, b));
    coverage.medians +=
        contains(RatioOfMedians(*EstimateMedian(a), *EstimateMedian(b)));
  }
  return coverage;
}

TEST(RatioIntervals, ContainTheTrueRatioAsOftenAsTheyClaim) {
  for (size_t n : {6u, 10u, 30u, 100u}) {
    RatioCoverage coverage = CountCoverage(n, 0.05, 0);
    printf("ratio, n = %zu: pairs %.2f %%, medians %.2f %%\n", n,
           100 * coverage.pairs, 100 * coverage.medians);
    EXPECT_GT(coverage.pairs, 0.935) << n;
    EXPECT_LT(coverage.pairs, 0.98) << n;
    EXPECT_GT(coverage.medians, 0.935) << n;
    EXPECT_LT(coverage.medians, 0.985) << n;
  }
}

TEST(RatioIntervals, OfPairsHoldWhileTheMachineSlowsDownByHalf) {
  RatioCoverage coverage = CountCoverage(10, 0.05, 0.5);
  EXPECT_GT(coverage.pairs, 0.935);
  EXPECT_LT(coverage.pairs, 0.98);
}

TEST(RatioOfMedians, UsesTheOppositeSidesOfBothIntervals) {
  // Down: 0.03 of the second and 0.04 of the first; up: 0.06 and 0.08.
  auto found = RatioOfMedians(
      {.median = 1, .interval = Interval{std::exp(-0.08), std::exp(0.04)}},
      {.median = 2,
       .interval = Interval{2 * std::exp(-0.03), 2 * std::exp(0.06)}});
  EXPECT_NEAR(found->interval->low, 2 * std::exp(-0.05), 1e-12);
  EXPECT_NEAR(found->interval->high, 2 * std::exp(0.1), 1e-12);
}

TEST(RatioOfMedians, IsAbsentForASecondMedianOfZero) {
  EXPECT_FALSE(RatioOfMedians({.median = 1}, {.median = 0}).has_value());
  EXPECT_FALSE(
      RatioOfMedians({.median = 1, .interval = Interval{0, 2}}, {.median = 1})
          .has_value());
}

TEST(RatioOfMedians, HasNoIntervalWhenTheSecondHasNone) {
  auto found = RatioOfMedians({.median = 1, .interval = Interval{0.5, 2}},
                              {.median = 3});
  EXPECT_FALSE(found->interval.has_value());
}

TEST(MedianOfRatios, IsAbsentForAValueOfZero) {
  const std::vector<double> good = {1, 2};
  const std::vector<double> bad = {1, 0};
  EXPECT_TRUE(MedianOfRatios(good, good).has_value());
  EXPECT_FALSE(MedianOfRatios(good, bad).has_value());
  EXPECT_FALSE(MedianOfRatios(bad, good).has_value());
}

TEST(EstimateMedian, IsAbsentWithoutValues) {
  EXPECT_FALSE(EstimateMedian({}).has_value());
  EXPECT_EQ(EstimateMedian(std::vector<double>{3, 1, 2})->median, 2);
}

}  // namespace
}  // namespace mete
