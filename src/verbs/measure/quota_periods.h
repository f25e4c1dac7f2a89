// How long to measure under a CPU quota.
#pragma once

#include "support/units.h"

namespace mete {

// The period of CPU quotas, in which a workload may use its quota in one go.
inline constexpr Seconds kQuotaPeriod{0.1};
// A time under a CPU limit says little before it covers this many periods: the
// first and the last one count in part.
inline constexpr double kFewestPeriods = 20;
// How long a network runs under a CPU limit. A multiple of the period, so that
// it ends in the same phase of a period as it began.
inline constexpr Seconds kNetworkTime = 50 * kQuotaPeriod;

}  // namespace mete
