#include "series/forecast.h"

#include <gtest/gtest.h>

#include <limits>

#include "series/test_waves.h"

namespace mete {
namespace {

TEST(Forecast, WithoutValuesOrHorizonThereIsNone) {
  EXPECT_TRUE(Forecast({.horizon = 5}).values.empty());
  const std::vector<double> nan(20, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(Forecast({.series = nan, .horizon = 5}).values.empty());
  const std::vector<double> one = {1};
  EXPECT_TRUE(Forecast({.series = one}).values.empty());
}

TEST(Forecast, OneValueIsRepeated) {
  const std::vector<double> one = {4};
  const Continuation ahead = Forecast({.series = one, .horizon = 3});
  EXPECT_EQ(ahead.values, (std::vector<double>{4, 4, 4}));
  EXPECT_FALSE(ahead.mase);
}

TEST(Forecast, ContinuesASine) {
  const auto series = NoisySine(400, 40, 0.05);
  const Continuation ahead =
      Forecast({.series = series, .periods = {40}, .horizon = 40});
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR(ahead.values[i], SineAt(static_cast<double>(400 + i), 40), 0.2);
    EXPECT_LT(ahead.low[i], ahead.high[i]);
  }
  EXPECT_LT(*ahead.mase, 1.1);
}

TEST(Forecast, IntervalsCoverWhatTheyPromise) {
  double inside = 0, count = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const auto series = NoisySine(640, 40, 0.3, seed);
    const Continuation ahead = Forecast({.series = std::span(series).first(600),
                                         .periods = {40},
                                         .horizon = 40});
    for (size_t i = 0; i < 40; ++i) {
      count += 1;
      inside +=
          series[600 + i] >= ahead.low[i] && series[600 + i] <= ahead.high[i]
              ? 1
              : 0;
    }
  }
  EXPECT_GT(inside / count, 0.87);
  EXPECT_LT(inside / count, 0.93);
}

TEST(Forecast, ContinuesALine) {
  Random random(11);
  const auto series =
      SeriesFrom(330, [&](double t) { return 0.2 * t + random.Normal(); });
  const Continuation ahead =
      Forecast({.series = std::span(series).first(300), .horizon = 30});
  double inside = 0;
  for (size_t i = 0; i < 30; ++i) {
    EXPECT_NEAR(ahead.values[i], 0.2 * static_cast<double>(300 + i), 1);
    inside +=
        series[300 + i] >= ahead.low[i] && series[300 + i] <= ahead.high[i] ? 1
                                                                            : 0;
  }
  EXPECT_GE(inside, 24);
}

TEST(Forecast, GapsAreFilledFromTheCycleBefore) {
  auto series = NoisySine(400, 40, 0.02);
  for (size_t t = 350; t < 380; ++t) {
    series[t] = std::numeric_limits<double>::quiet_NaN();
  }
  const Continuation ahead =
      Forecast({.series = series, .periods = {40}, .horizon = 10});
  EXPECT_NEAR(ahead.values[9], SineAt(409, 40), 0.2);
}

}  // namespace
}  // namespace mete
