// How well one period explains a series, and which period near it does best.
#pragma once

#include <array>
#include <cstddef>

#include "series/prepared_series.h"

namespace mete {

// Most harmonics of a period that are fitted.
inline constexpr int kMostHarmonics = 8;

// A period and what speaks for it.
struct PeriodFit {
  double period = 0;  // samples
  // -ln of the probability that noise with the same memory looks like this,
  // less the logarithm of the number of hypotheses.
  double score = 0;
  double strength = 0;  // explained share of the variance, without trend
  int harmonics = 1;
  // Variance explained by each harmonic, as a share of what all explain.
  std::array<double, kMostHarmonics + 1> share{};
};
PeriodFit FitPeriod(const PreparedSeries& series, double period);

// The period near `period` that explains most with this many harmonics.
double RefinePeriod(const PreparedSeries& series, double period, int harmonics);

// What the harmonics of `period` that are not multiples of `factor` add to
// those that are: is the series periodic with `period`, or with
// `period` / `factor` already?
struct FitBeyond {
  double score = 0;
  double strength = 0;  // additional share of the variance
};
FitBeyond FitBeyondFactor(const PreparedSeries& series, double period,
                          int factor);

// The width of the means that are fitted: every cycle has the same number of
// them, so that their phases are the same in each. 1 for short periods.
double AveragingWidth(double period);

}  // namespace mete
