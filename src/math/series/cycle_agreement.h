// Do the parts of a series repeat each other?
#pragma once

#include "series/prepared_series.h"

namespace mete {

// Divides the series into up to six parts of whole cycles, averages each to one
// cycle, and correlates it with the mean of the others. Returns the median; 0
// with fewer than two cycles. A period that a few jumps or bursts suggest by
// chance fits some parts only.
double CycleAgreement(const PreparedSeries& series, double period);

// Mean absolute error of repeating what was `factor` periods ago, relative to
// that of repeating what was one period ago. 1 if the series is too short.
double RelativeRepeatError(const PreparedSeries& series, double period,
                           int factor);

}  // namespace mete
