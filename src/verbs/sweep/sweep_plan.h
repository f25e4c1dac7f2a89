// The plan of a sweep: the range of each limit and the step between values.
#pragma once

#include <cstdint>

#include "domain/sweep.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The smallest limits that container engines accept.
inline constexpr uint64_t kLeastMemory = 6 << 20;  // bytes
inline constexpr uint64_t kLeastMillicores = 10;   // a quota of 1000 us

// Sets the step of each range that has none. A linear sweep gets a tenth of the
// range, which gives enough points for a plot. A bisection gets
// `memory_resolution`, or 0.05 CPUs.
void FillSteps(Bytes memory_resolution, SweepPlan& plan);

// Fails with kInvalidInput when a range is ascending or below the minimum, no
// limit is swept, or a count is 0.
Status CheckPlan(const SweepPlan& plan);

}  // namespace mete
