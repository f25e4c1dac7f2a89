// Least squares of a series on a line, its own past and harmonics of one
// frequency: does knowing the phase explain more than knowing the past?
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "series/prepared_series.h"

namespace mete {

// Most values of its own past that a series is regressed on.
inline constexpr size_t kMostLags = 3;

// The regression to make: harmonics k of the base period, in samples, in the
// order in which they enter. Each k must be below half of the period.
struct HarmonicRequest {
  double period = 0;
  std::span<const int> harmonics;
};

// What is left unexplained by a line, `lags` past values and the first h
// harmonics.
class HarmonicRegression {
 public:
  // O(n * harmonics): the products of harmonics with each other have closed
  // forms. Rows that contain a missing value do not count.
  HarmonicRegression(const PreparedSeries& series,
                     const HarmonicRequest& request);

  // Sum of squares; h from 0 to harmonics(), lags from 0 to kMostLags.
  double Left(size_t h, size_t lags) const { return left_[h][lags]; }
  size_t rows() const { return rows_; }
  size_t harmonics() const { return left_.size() - 1; }

 private:
  size_t rows_ = 0;
  std::vector<std::array<double, kMostLags + 1>> left_;
};

// What a line and all the harmonics leave, without the past: Left(h, 0) of the
// regression for the largest h, in about half of the time.
double LeftByHarmonics(const PreparedSeries& series,
                       const HarmonicRequest& request);

// ln P(B > share) for a beta distribution with parameters `half` and rest / 2:
// the tail of the F test that 2 * half regressors explain `share` of what was
// left, with `rest` degrees of freedom. Exact, because 2 * half is even.
double LogTail(double share, size_t half, double rest);

}  // namespace mete
