#include "stats/stability.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

#include "stats/test_series.h"

namespace mete {
namespace {

using Shape = LogNormalSeries::Shape;

// How often `found` returns true on series made from `shape` by `change`.
struct Trial {
  Shape shape;
  size_t length = 300;
  int repetitions = SimulatedSeries(500);
  std::function<void(std::vector<double>&, Random&)> change =
      [](std::vector<double>&, Random&) {};
};

template <typename Finder>
double Rate(const Trial& trial, Finder found) {
  LogNormalSeries source(trial.shape, 11);
  Random random(12);
  int hits = 0;
  for (int i = 0; i < trial.repetitions; ++i) {
    auto series = source.Take(trial.length);
    trial.change(series, random);
    hits += found(series).has_value() ? 1 : 0;
  }
  double rate = static_cast<double>(hits) / trial.repetitions;
  fmt::print("sigma {:.2f} phi {:.2f} n {}: {:.2f} %\n", trial.shape.sigma,
             trial.shape.phi, trial.length, rate * 100);
  return rate;
}

void Ramp(std::vector<double>& series, double rise) {
  double n = static_cast<double>(series.size());
  for (size_t t = 0; t < series.size(); ++t) {
    series[t] *= 1 + rise * static_cast<double>(t) / n;
  }
}

void LiftSome(std::vector<double>& series, Random& random, double share,
              double factor) {
  for (double& value : series) {
    if (random.Uniform() < share) value *= factor;
  }
}

class FalseAlarms : public testing::TestWithParam<Shape> {};

// 3000 series: a true rate of 0.6 % then lies 2.8 standard errors below 1 %.
TEST_P(FalseAlarms, AreRarerThanOneInAHundred) {
  // 75 is the shortest series that is judged for drift.
  for (size_t length : {75u, 100u, 300u}) {
    Trial trial{.shape = GetParam(),
                .length = length,
                .repetitions = SimulatedSeries(3000)};
    fmt::print("drift, ");
    EXPECT_LT(Rate(trial, FindDrift), 0.01);
    fmt::print("two levels, ");
    EXPECT_LT(Rate(trial, FindTwoLevels), 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(Steady, FalseAlarms,
                         testing::Values(Shape{.sigma = 0.02},
                                         Shape{.sigma = 0.1},
                                         Shape{.sigma = 0.3},
                                         Shape{.sigma = 0.1, .phi = 0.6},
                                         Shape{.sigma = 0.1, .phi = 0.9},
                                         Shape{.sigma = 0.1, .phi = 0.95}));

TEST(Drift, OfTenPercentIsDetected) {
  auto ramp = [](auto& series, Random&) { Ramp(series, 0.1); };
  EXPECT_GT(Rate({.shape = {.sigma = 0.02}, .change = ramp}, FindDrift), 0.99);
  EXPECT_GT(
      Rate({.shape = {.sigma = 0.02, .phi = 0.3}, .change = ramp}, FindDrift),
      0.99);
}

TEST(Drift, OfTenPercentIsDetectedInAThousandStronglyDependentValues) {
  auto ramp = [](auto& series, Random&) { Ramp(series, 0.1); };
  EXPECT_GT(Rate({.shape = {.sigma = 0.02, .phi = 0.6},
                  .length = 1000,
                  .repetitions = SimulatedSeries(200),
                  .change = ramp},
                 FindDrift),
            0.99);
}

TEST(Drift, IsDetectedWhenItIsASingleStep) {
  auto step = [](std::vector<double>& series, Random&) {
    for (size_t t = series.size() / 2; t < series.size(); ++t) series[t] *= 1.1;
  };
  EXPECT_GT(Rate({.shape = {.sigma = 0.02}, .change = step}, FindDrift), 0.99);
}

TEST(Drift, IsMeasuredFromFirstToLastThird) {
  std::vector<double> series(300, 0.01);
  for (size_t t = 150; t < 300; ++t) series[t] = 0.0114;
  auto drift = FindDrift(series);
  ASSERT_TRUE(drift.has_value());
  EXPECT_NEAR(drift->change, 0.14, 1e-9);
  EXPECT_EQ(Describe(*drift),
            "drifts: the last third is 14.0 % slower than the first");
}

TEST(Drift, DownwardsIsCalledFaster) {
  EXPECT_EQ(Describe(Drift{.change = -0.2}),
            "drifts: the last third is 20.0 % faster than the first");
}

TEST(Drift, BelowTheThresholdIsNotReported) {
  std::vector<double> series(300, 0.01);
  for (size_t t = 150; t < 300; ++t) series[t] = 0.01025;
  EXPECT_FALSE(FindDrift(series).has_value());
}

TEST(Drift, IsNotJudgedInFewerThanSeventyFiveValues) {
  std::vector<double> series(74, 0.01);
  for (size_t t = 37; t < 74; ++t) series[t] = 0.02;
  EXPECT_FALSE(FindDrift(series).has_value());
  series.push_back(0.02);
  EXPECT_TRUE(FindDrift(series).has_value());
}

TEST(Drift, IsAbsentForNoneOneOrAFewValues) {
  EXPECT_FALSE(FindDrift({}).has_value());
  EXPECT_FALSE(FindDrift(std::vector{0.01}).has_value());
  EXPECT_FALSE(FindDrift(std::vector{0.01, 0.02, 0.03, 0.04}).has_value());
}

TEST(TwoLevels, AFifthApartAreDetected) {
  auto lift = [](auto& series, Random& random) {
    LiftSome(series, random, 0.3, 1.2);
  };
  EXPECT_GT(Rate({.shape = {.sigma = 0.02}, .change = lift}, FindTwoLevels),
            0.99);
  EXPECT_GT(Rate({.shape = {.sigma = 0.02, .phi = 0.6}, .change = lift},
                 FindTwoLevels),
            0.99);
}

TEST(TwoLevels, AreDescribedByShareAndPosition) {
  std::vector<double> series;
  for (int i = 0; i < 200; ++i)
    series.push_back(i * 37 % 50 < 31 ? 8.1e-3 : 12.3e-3);
  auto levels = FindTwoLevels(series);
  ASSERT_TRUE(levels.has_value());
  EXPECT_EQ(Describe(*levels),
            "two levels: 62 % near 8.10 ms, 38 % near 12.3 ms");
}

TEST(TwoLevels, AreNotDetectedForAFewOutliers) {
  auto lift = [](auto& series, Random& random) {
    LiftSome(series, random, 0.05, 3);
  };
  EXPECT_LT(Rate({.shape = {.sigma = 0.02}, .change = lift}, FindTwoLevels),
            0.01);
}

TEST(TwoLevels, AreNotDetectedForALongRightTail) {
  auto tail = [](std::vector<double>& series, Random& random) {
    for (double& value : series) {
      value *= 1 - 0.5 * std::log(1 - random.Uniform());
    }
  };
  EXPECT_LT(Rate({.shape = {.sigma = 0.01}, .change = tail}, FindTwoLevels),
            0.01);
}

TEST(TwoLevels, CloserThanFivePercentDoNotCount) {
  std::vector<double> series;
  for (int i = 0; i < 300; ++i) series.push_back(i % 2 == 0 ? 0.01 : 0.0104);
  EXPECT_FALSE(FindTwoLevels(series).has_value());
}

TEST(TwoLevels, AreAbsentForNoneOneOrConstantValues) {
  EXPECT_FALSE(FindTwoLevels({}).has_value());
  EXPECT_FALSE(FindTwoLevels(std::vector{0.01}).has_value());
  EXPECT_FALSE(FindTwoLevels(std::vector(100, 0.01)).has_value());
}

TEST(Drift, IsReportedFromThreePercentOn) {
  auto stepped = [](double factor) {
    std::vector<double> series(300, 0.01);
    for (size_t t = 150; t < 300; ++t) series[t] = 0.01 * factor;
    return FindDrift(series).has_value();
  };
  EXPECT_TRUE(stepped(1.0301));
  EXPECT_FALSE(stepped(1.0299));
  EXPECT_TRUE(stepped(1 / 1.0301));
  EXPECT_FALSE(stepped(1 / 1.0299));
}

TEST(Drift, DownwardsIsNegative) {
  std::vector<double> series(300, 0.01);
  for (size_t t = 150; t < 300; ++t) series[t] = 0.009;
  EXPECT_NEAR(FindDrift(series)->change, -0.1, 1e-9);
  EXPECT_EQ(FindDrift(series)->significance, INFINITY);
}

TEST(Drift, ComparesTheChangeWithTheErrorOfTheMedians) {
  // Alternating levels of ±5 %; the medians of both thirds are exact, and
  // their intervals span the two levels.
  std::vector<double> series;
  for (int t = 0; t < 300; ++t) {
    double level = t < 150 ? 1.0 : 1.04;
    series.push_back(level * (t * 7 % 10 < 5 ? 0.95 : 1.05));
  }
  EXPECT_FALSE(FindDrift(series).has_value());
}

TEST(TwoLevels, MeasuresLevelsShareAndValley) {
  // 60 values at 1, 40 at 2, and 4 in the middle, in a mixed order.
  std::vector<double> series;
  for (int i = 0; i < 104; ++i) {
    int place = i * 41 % 104;
    series.push_back(place < 60 ? 1 : place < 64 ? std::sqrt(2.0) : 2);
  }
  auto levels = FindTwoLevels(series);
  ASSERT_TRUE(levels.has_value());
  EXPECT_NEAR(levels->low, 1, 1e-9);
  EXPECT_NEAR(levels->high, 2, 1e-9);
  EXPECT_NEAR(levels->low_share, 64.0 / 104, 0.05);
  EXPECT_EQ(levels->valley, 0);
  EXPECT_GT(levels->significance, 5);
  EXPECT_LT(levels->significance, std::sqrt(40));
}

TEST(TwoLevels, NeedATenthOfTheValuesOnEachLevel) {
  auto found = [](int high) {
    std::vector<double> series;
    for (int i = 0; i < 200; ++i) series.push_back(i * 67 % 200 < high ? 2 : 1);
    return FindTwoLevels(series).has_value();
  };
  EXPECT_TRUE(found(21));
  EXPECT_FALSE(found(19));
  EXPECT_TRUE(found(179));
  EXPECT_FALSE(found(181));
}

TEST(TwoLevels, WithAsManyValuesBetweenThemAreNone) {
  std::vector<double> series;
  for (int i = 0; i < 300; ++i) series.push_back(1 + 0.01 * (i * 77 % 100));
  EXPECT_FALSE(FindTwoLevels(series).has_value());
}

TEST(TwoLevels, OutliersDoNotAttractTheCut) {
  std::vector<double> series;
  for (int i = 0; i < 300; ++i) series.push_back(i * 7 % 10 < 5 ? 1 : 1.2);
  series[10] = series[200] = 1e6;
  series[100] = 1e-6;
  auto levels = FindTwoLevels(series);
  ASSERT_TRUE(levels.has_value());
  EXPECT_NEAR(levels->low, 1, 1e-9);
  EXPECT_NEAR(levels->high, 1.2, 1e-9);
}

// Evaluated from the definitions by another program.
TEST(TwoLevels, FollowTheirDefinitions) {
  // 160 values near 1, 120 near 1.6, and 120 that fall in density between them.
  std::vector<double> series;
  for (int i = 0; i < 400; ++i) {
    const int place = i * 97 % 400;
    series.push_back(place < 160   ? 1 + 0.001 * (place % 50)
                     : place < 280 ? 1.04 + 0.0008 * (place - 160) * 5
                                   : 1.6 + 0.001 * (place % 40));
  }
  auto levels = FindTwoLevels(series);
  ASSERT_TRUE(levels.has_value());
  EXPECT_NEAR(levels->low, 1.033, 1e-9);
  EXPECT_NEAR(levels->high, 1.6094999223361, 1e-9);
  EXPECT_NEAR(levels->low_share, 0.55, 1e-12);
  EXPECT_NEAR(levels->valley, 32.0 / 120, 1e-12);
  EXPECT_NEAR(levels->significance, 7.137742529753552, 1e-9);
}

TEST(Drift, FollowsItsDefinition) {
  std::vector<double> series;
  for (int t = 0; t < 300; ++t) {
    series.push_back((t < 150 ? 1.0 : 1.08) *
                     (1 + 0.0004 * (t * 43 % 100) + 0.0001 * t));
  }
  auto drift = FindDrift(series);
  ASSERT_TRUE(drift.has_value());
  EXPECT_NEAR(drift->change, 0.1010741987910739, 1e-9);
  EXPECT_NEAR(drift->significance, 27.35437274845638, 1e-6);
}

}  // namespace
}  // namespace mete
