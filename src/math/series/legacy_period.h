// The rule by which Alnair decided whether a series is cyclic, for comparison.
#pragma once

#include <optional>
#include <span>

namespace mete {

// The period in samples; absent: not cyclic. Takes every lag below half of the
// length whose correlation exceeds the mean of all correlations by 1.96
// standard deviations. More than two such lags (lag 0 is one) are a period: the
// median of their distances. The rule never finds a sine and takes
// autocorrelated noise for a period of 1 (docs/internals/periods.md).
std::optional<double> FindLegacyPeriod(std::span<const double> series);

}  // namespace mete
