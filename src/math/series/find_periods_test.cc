#include "series/find_periods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "series/test_waves.h"

namespace mete {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The length of the first period; 0: none.
double FirstPeriod(const std::vector<double>& series) {
  const auto periods = FindPeriods(series);
  return periods.empty() ? 0 : periods[0].length;
}

TEST(FindPeriods, FindsSinesOfAnyLength) {
  for (double period : {4.0, 5.3, 12.0, 20.0, 33.3, 60.0}) {
    EXPECT_NEAR(FirstPeriod(NoisySine(120, period, 0.2)), period,
                0.02 * period);
  }
}

TEST(FindPeriods, FindsASineWithoutNoise) {
  EXPECT_NEAR(FirstPeriod(NoisySine(120, 20, 0)), 20, 0.01);
}

TEST(FindPeriods, FindsTheFundamentalOfARoundedSine) {
  for (double period : {7.0, 12.5, 25.0, 40.0, 66.6}) {
    for (double unit : {1e-6, 1e-3, 1e-1}) {
      const auto series = SeriesFrom(200, [&](double t) {
        return std::round(SineAt(t, period) / unit) * unit;
      });
      EXPECT_NEAR(FirstPeriod(series), period, 0.02 * period) << unit;
    }
  }
}

TEST(FindPeriods, FindsTheFundamentalOfARoundedSquareWave) {
  for (double period : {8.0, 25.0, 40.0}) {
    const auto series = SeriesFrom(200, [&](double t) {
      return std::fmod(t, period) < period / 2 ? 1.0 : 0.0;
    });
    EXPECT_NEAR(FirstPeriod(series), period, 0.02 * period);
  }
}

TEST(FindPeriods, FindsNoneInALine) {
  for (double slope : {0.001, 0.1, 1.0 / 3, 0.7, 1e-5}) {
    for (size_t count : {120, 500, 1440}) {
      for (double unit : {0.0, slope * 5, slope * 3.3}) {
        if (unit > 0 && count < 1000) continue;  // coarse: it does repeat
        const auto line = SeriesFrom(count, [&](double t) {
          const double value = 2 + slope * t;
          return unit > 0 ? std::round(value / unit) * unit : value;
        });
        EXPECT_EQ(FirstPeriod(line), 0) << slope << " " << count << " " << unit;
      }
    }
  }
}

TEST(FindPeriods, FindsASmallWaveOnALine) {
  const auto wave =
      SeriesFrom(480, [](double t) { return 0.1 * t + 0.7 * SineAt(t, 24); });
  EXPECT_NEAR(FirstPeriod(wave), 24, 0.3);
}

TEST(FindPeriods, FindsTheFundamentalOfAPulseTrain) {
  EXPECT_NEAR(FirstPeriod(PulseTrain(120, 20, 2)), 20, 0.1);
  EXPECT_NEAR(FirstPeriod(PulseTrain(5000, 480, 48)), 480, 1);
}

TEST(FindPeriods, DoesNotTakeAnAliasForThePeriod) {
  // 4 / 13 of the samples: every second cycle looks the same.
  auto square = SeriesFrom(
      480, [](double t) { return std::fmod(t / 6.5, 1.0) < 0.5 ? 1.0 : -1.0; });
  EXPECT_NEAR(FirstPeriod(square), 6.5, 0.1);
}

TEST(FindPeriods, FindsTwoPeriods) {
  Random random(3);
  const auto periods = FindPeriods(SeriesFrom(1000, [&](double t) {
    return SineAt(t, 100) + 0.5 * SineAt(t, 13) + 0.2 * random.Normal();
  }));
  ASSERT_EQ(periods.size(), 2u);
  EXPECT_NEAR(periods[0].length, 100, 1);
  EXPECT_NEAR(periods[1].length, 13, 0.1);
  EXPECT_GT(periods[0].strength, periods[1].strength);
}

TEST(FindPeriods, IfDaysDifferThePeriodIsTheWeek) {
  Random random(4);
  // Two days of seven are quiet.
  const auto periods =
      FindPeriods(SeriesFrom(size_t{21} * 24,
                             [&](double t) {
                               const bool quiet = std::fmod(t / 24, 7) >= 5;
                               return (quiet ? 0.2 : 1) * (2 + SineAt(t, 24)) +
                                      0.1 * random.Normal();
                             }),
                  {.natural = {24, 168}});
  ASSERT_FALSE(periods.empty());
  EXPECT_DOUBLE_EQ(periods[0].length, 168);
}

TEST(FindPeriods, FewCyclesAreTentativeAndLessSure) {
  const auto two = FindPeriods(NoisySine(120, 60, 0.1));
  const auto ten = FindPeriods(NoisySine(600, 60, 0.1));
  ASSERT_FALSE(two.empty());
  ASSERT_FALSE(ten.empty());
  EXPECT_TRUE(two[0].tentative);
  EXPECT_FALSE(ten[0].tentative);
  EXPECT_LT(two[0].confidence, ten[0].confidence);
}

TEST(FindPeriods, TooShortConstantAndEmptySeriesHaveNone) {
  for (size_t n : {0, 1, 2, 7}) {
    EXPECT_TRUE(FindPeriods(NoisySine(n, 4, 0)).empty()) << n;
  }
  EXPECT_TRUE(FindPeriods(std::vector<double>(500, 3.5)).empty());
  EXPECT_TRUE(FindPeriods(std::vector<double>(500, kNan)).empty());
}

TEST(FindPeriods, AHugeOutlierDoesNotHideAPeriod) {
  auto series = NoisySine(240, 24, 0.2);
  series[100] = 1e9;
  EXPECT_NEAR(FirstPeriod(series), 24, 0.5);
}

TEST(FindPeriods, GapsDoNotMoveThePeriod) {
  auto series = NoisySine(480, 40, 0.2);
  for (size_t t = 100; t < 130; ++t) series[t] = kNan;
  for (size_t t = 0; t < 480; t += 7) {
    series[t] = std::numeric_limits<double>::infinity();
  }
  EXPECT_NEAR(FirstPeriod(series), 40, 0.8);
}

TEST(FindPeriods, ATrendIsNotAPeriodAndDoesNotHideOne) {
  Random random(5);
  auto line =
      SeriesFrom(300, [&](double t) { return 0.1 * t + random.Normal(); });
  EXPECT_EQ(FirstPeriod(line), 0);
  auto both =
      SeriesFrom(300, [&](double t) { return 0.1 * t + 3 * SineAt(t, 30); });
  EXPECT_NEAR(FirstPeriod(both), 30, 0.6);
}

TEST(FindPeriods, AnHourOfShiftIsStillADay) {
  // As with daylight saving time: from the middle on, one of 24 earlier.
  Random random(8);
  auto series = SeriesFrom(size_t{14} * 24, [&](double t) {
    return SineAt(t < 168 ? t : t + 1, 24) + 0.2 * random.Normal();
  });
  EXPECT_NEAR(FirstPeriod(series), 24, 0.3);
}

TEST(FindPeriods, NoiseHasNoPeriod) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    double value = 0;
    auto walk =
        SeriesFrom(120, [&](double) { return value += random.Normal(); });
    EXPECT_EQ(FirstPeriod(walk), 0) << seed;
    auto memory = SeriesFrom(
        120, [&](double) { return value = 0.9 * value + random.Normal(); });
    EXPECT_EQ(FirstPeriod(memory), 0) << seed;
  }
}

TEST(FindPeriods, OneStepIsNoPeriod) {
  Random random(9);
  auto step = SeriesFrom(
      240, [&](double t) { return (t < 110 ? 0 : 5) + 0.3 * random.Normal(); });
  EXPECT_EQ(FirstPeriod(step), 0);
}

}  // namespace
}  // namespace mete
