#include "analyze/analyze_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "analyze/test_usage.h"
#include "support/random.h"

namespace mete {
namespace {

SeriesAnalysis Analyzed(TimeSeries series) {
  return AnalyzeSeries({.series = std::move(series)}).value();
}

TEST(AnalyzeSeries, AnEmptySeriesHasNoSummary) {
  const SeriesAnalysis analysis = Analyzed({});
  EXPECT_FALSE(analysis.summary);
  EXPECT_FALSE(analysis.forecast);
  EXPECT_TRUE(analysis.periods.empty());
}

TEST(AnalyzeSeries, OneAndTwoValuesAreForecastAsTheyAre) {
  for (size_t count : {1, 2}) {
    const SeriesAnalysis analysis =
        Analyzed(TestUsage(count, 60, [](double) { return 7.0; }));
    ASSERT_TRUE(analysis.summary);
    EXPECT_EQ(analysis.summary->count, count);
    EXPECT_FALSE(analysis.trend);
    ASSERT_TRUE(analysis.forecast);
    EXPECT_DOUBLE_EQ(analysis.forecast->values[0], 7);
  }
}

TEST(AnalyzeSeries, AConstantSeriesStaysConstant) {
  const SeriesAnalysis analysis =
      Analyzed(TestUsage(300, 60, [](double) { return 3.0; }));
  EXPECT_TRUE(analysis.periods.empty());
  EXPECT_TRUE(analysis.level_shifts.empty());
  EXPECT_FALSE(analysis.trend->significant);
  for (double value : analysis.forecast->values) EXPECT_DOUBLE_EQ(value, 3);
  for (double value : analysis.forecast->high) EXPECT_DOUBLE_EQ(value, 3);
}

TEST(AnalyzeSeries, OnlyGapsAreLikeAnEmptySeries) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(
      Analyzed(TestUsage(50, 60, [&](double) { return nan; })).summary);
}

TEST(AnalyzeSeries, UnorderedAndRepeatedTimesAreTheSameSeries) {
  auto wave = [](double t) { return TestWave(t, 600); };
  TimeSeries series = TestUsage(120, 30, wave);
  std::ranges::reverse(series.times);
  std::ranges::reverse(series.values);
  series.times.push_back(series.times.front());
  series.values.push_back(series.values.front());
  const SeriesAnalysis analysis = Analyzed(series);
  EXPECT_EQ(analysis.summary->count, 120u);
  EXPECT_EQ(analysis.summary->gaps, 0u);
  ASSERT_EQ(analysis.periods.size(), 1u);
  EXPECT_NEAR(analysis.periods[0].length.count(), 600, 6);
}

TEST(AnalyzeSeries, ADayIsExactlyADay) {
  Random random(3);
  const SeriesAnalysis analysis =
      Analyzed(TestUsage(size_t{10} * 96, 900, [&](double t) {
        return TestWave(t, 86400) + 0.3 * random.Normal();
      }));
  ASSERT_FALSE(analysis.periods.empty());
  EXPECT_DOUBLE_EQ(analysis.periods[0].length.count(), 86400);
  EXPECT_FALSE(analysis.periods[0].tentative);
  EXPECT_EQ(analysis.forecast->values.size(), 96u);
  EXPECT_LT(*analysis.forecast->mase, 1);
}

TEST(AnalyzeSeries, FewerThanThreeCyclesAreTentative) {
  const SeriesAnalysis analysis =
      Analyzed(TestUsage(240, 60, [](double t) { return TestWave(t, 6000); }));
  ASSERT_FALSE(analysis.periods.empty());
  EXPECT_TRUE(analysis.periods[0].tentative);
}

TEST(AnalyzeSeries, FindsALevelShiftAndForecastsTheNewLevel) {
  Random random(5);
  const SeriesAnalysis analysis = Analyzed(TestUsage(600, 60, [&](double t) {
    return (t < 18000 ? 10 : 30) + random.Normal();
  }));
  ASSERT_EQ(analysis.level_shifts.size(), 1u);
  EXPECT_NEAR(analysis.level_shifts[0].time, kTestStart + 18000, 600);
  EXPECT_NEAR(analysis.level_shifts[0].change, 20, 1);
  EXPECT_FALSE(analysis.trend->significant);
  EXPECT_NEAR(analysis.forecast->values[0], 30, 1.5);
}

TEST(AnalyzeSeries, FindsATrend) {
  Random random(6);
  const SeriesAnalysis analysis = Analyzed(
      TestUsage(500, 60, [&](double t) { return t / 1000 + random.Normal(); }));
  EXPECT_TRUE(analysis.trend->significant);
  EXPECT_NEAR(analysis.trend->per_second, 0.001, 0.0001);
}

TEST(AnalyzeSeries, RefusesWhatMakesNoSense) {
  EXPECT_FALSE(AnalyzeSeries({.series = {{1, 2}, {1}}}).ok());
  EXPECT_FALSE(AnalyzeSeries({.step = Seconds(0)}).ok());
  EXPECT_FALSE(AnalyzeSeries({.confidence = 1}).ok());
  EXPECT_FALSE(
      AnalyzeSeries({.series = {{0, 1e12}, {1, 1}}, .step = Seconds(1)}).ok());
}

}  // namespace
}  // namespace mete
