// Periods worth testing: maxima of the spectrum and of the autocorrelation.
#pragma once

#include <vector>

#include "series/prepared_series.h"

namespace mete {

// In samples, from about 4 to half of the series, without near duplicates.
std::vector<double> PeriodCandidates(const PreparedSeries& series);

}  // namespace mete
