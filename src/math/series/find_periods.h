// Finds the periods with which an evenly spaced series repeats.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mete {

// A period of a series.
struct Period {
  double length = 0;  // in samples, not necessarily whole
  double cycles = 0;  // how many the series contains
  // -ln of the probability that noise looks as periodic, corrected for the
  // number of periods tried.
  double score = 0;
  double strength = 0;     // share of the variance without trend, 0 to 1
  double agreement = 0;    // correlation of one part with the others, up to 1
  double confidence = 0;   // 0 to 1; docs/internals/periods.md
  bool tentative = false;  // fewer than three cycles
};

// A period must score at least this.
inline constexpr double kLeastScore = 10;
// Shorter periods cannot be distinguished from alternation.
inline constexpr double kShortestPeriod = 4;
// With fewer cycles a period is tentative.
inline constexpr double kSureCycles = 3;

// How to search.
struct PeriodSearch {
  size_t at_most = 3;
  // Lengths in samples that are likely a priori, such as a day and a week. A
  // period that cannot be distinguished from one of them is set to it, and one
  // that is a multiple of another needs less evidence.
  std::vector<double> natural;
};

// The periods from 4 samples to half of the series, the most important first.
// NaN and infinity are gaps. Empty if the series is too short (8 values), is
// constant, or does not repeat. docs/internals/periods.md derives the rule.
std::vector<Period> FindPeriods(std::span<const double> series,
                                const PeriodSearch& search = {});

}  // namespace mete
