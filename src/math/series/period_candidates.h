// Periods worth testing: maxima of the spectrum and of the autocorrelation.
#pragma once

#include <vector>

#include "series/prepared_series.h"

namespace mete {

// A period, in samples, and the share of the variance at its first harmonics as
// the spectrum shows it: low by up to a third, because a frequency may lie
// between two that are known.
struct PeriodCandidate {
  double period = 0;
  double share = 0;
};

// From 4 samples to half of the series, without near duplicates.
std::vector<PeriodCandidate> PeriodCandidates(const PreparedSeries& series);

}  // namespace mete
