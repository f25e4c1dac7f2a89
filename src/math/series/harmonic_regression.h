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

// What the regression leaves unexplained.
class HarmonicRegression {
 public:
  // O(n * harmonics): the products of harmonics with each other have closed
  // forms.
  HarmonicRegression(const PreparedSeries& series,
                     const HarmonicRequest& request);

  // Sum of squares that is left with this many lags (0 to kMostLags) after the
  // line, the lags and the first h harmonics, for h = 0 … all.
  std::vector<double> Residuals(size_t lags) const;
  size_t rows() const { return rows_; }
  size_t harmonics() const { return harmonics_; }
  // Amplitude of the fit without lags at each harmonic: cosine and sine about
  // the middle of the series, and the time of that middle.
  struct Fit {
    double middle = 0;
    std::vector<double> cosine;
    std::vector<double> sine;
  };
  Fit Solve() const;

 private:
  size_t Column(size_t lags, size_t i) const;

  size_t rows_ = 0;
  size_t harmonics_ = 0;
  size_t columns_ = 0;  // line, lags, harmonics, the series itself
  double middle_ = 0;
  std::vector<double> gram_;  // columns x columns
};

// ln P(B > share) for a beta distribution with `half` and `rest` / 2: the tail
// of the F test that 2 * half regressors explain `share` of what `rest` degrees
// of freedom left. Exact, because 2 * half is even.
double LogTail(double share, size_t half, double rest);

}  // namespace mete
