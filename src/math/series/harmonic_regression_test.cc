#include "series/harmonic_regression.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <limits>

#include "series/test_waves.h"

namespace mete {
namespace {

// The same regression, written down row by row.
double LeftByRows(const PreparedSeries& series, double period, int harmonics,
                  size_t lags) {
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> y;
  for (size_t t = kMostLags; t < series.size(); ++t) {
    bool complete = true;
    for (size_t lag = 0; lag <= kMostLags; ++lag) {
      complete = complete && !series.missing[t - lag];
    }
    if (!complete) continue;
    Eigen::VectorXd row(2 + lags + 2 * static_cast<size_t>(harmonics));
    Eigen::Index column = 0;
    row[column++] = 1;
    row[column++] = static_cast<double>(t);
    for (size_t lag = 1; lag <= lags; ++lag) {
      row[column++] = series.values[t - lag];
    }
    for (int k = 1; k <= harmonics; ++k) {
      const double phase =
          2 * std::numbers::pi * k * static_cast<double>(t) / period;
      row[column++] = std::cos(phase);
      row[column++] = std::sin(phase);
    }
    rows.push_back(row);
    y.push_back(series.values[t]);
  }
  Eigen::MatrixXd x(rows.size(), rows[0].size());
  for (size_t i = 0; i < rows.size(); ++i) {
    x.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
  }
  const Eigen::Map<Eigen::VectorXd> target(y.data(),
                                           static_cast<Eigen::Index>(y.size()));
  const Eigen::VectorXd fit = x.colPivHouseholderQr().solve(target);
  return (target - x * fit).squaredNorm();
}

void ExpectTheSame(const PreparedSeries& series) {
  constexpr std::array<int, 4> kOrders = {1, 2, 3, 4};
  for (double period : {9.7, 20.0, 31.0}) {
    const HarmonicRegression regression(
        series, {.period = period, .harmonics = kOrders});
    for (size_t h = 0; h <= 4; ++h) {
      for (size_t lags = 0; lags <= kMostLags; ++lags) {
        const double expected =
            LeftByRows(series, period, static_cast<int>(h), lags);
        EXPECT_NEAR(regression.Left(h, lags), expected, 1e-6 * expected)
            << period << " " << h << " " << lags;
      }
    }
  }
}

TEST(HarmonicRegression, ClosedFormsAgreeWithRows) {
  ExpectTheSame(Prepare(NoisySine(97, 20, 0.5)));
}

TEST(HarmonicRegression, RowsWithMissingValuesDoNotCount) {
  auto series = NoisySine(97, 20, 0.5);
  series[10] = series[50] = std::numeric_limits<double>::quiet_NaN();
  ExpectTheSame(Prepare(series));
}

TEST(HarmonicRegression, TheTailIsThatOfTheBetaDistribution) {
  // One harmonic: P(B > x) = (1 - x)^(rest / 2).
  EXPECT_NEAR(LogTail(0.5, 1, 10), 5 * std::log(0.5), 1e-12);
  // half = 2, rest = 2: P(B > x) = 1 - x^2.
  EXPECT_NEAR(LogTail(0.3, 2, 2), std::log(1 - 0.09), 1e-12);
  EXPECT_EQ(LogTail(0, 1, 10), 0);
  EXPECT_TRUE(std::isfinite(LogTail(1, 4, 100)));
}

}  // namespace
}  // namespace mete
