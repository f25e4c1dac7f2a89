// How much a series depends on its own past.
#pragma once

#include <span>

namespace mete {

// Number of values of a series that count as one independent observation, and
// how well that number itself is known.
struct AutocorrelationTime {
  double tau = 1;      // >= 1
  double degrees = 1;  // of freedom of tau as a variance estimate, >= 1
};

// Integrated autocorrelation time of the series 1{x_t <= threshold}: the
// variance of the number of values below `threshold` is tau times what it
// would be for independent values. 1 for series without variation or with
// fewer than two values.
AutocorrelationTime IndicatorAutocorrelationTime(std::span<const double> series,
                                                 double threshold);

}  // namespace mete
