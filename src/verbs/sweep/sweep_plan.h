// The plan of a sweep: the range of each limit and the step between values.
#pragma once

#include <cstdint>

#include "domain/sweep.h"
#include "measure/quota_periods.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The smallest limits that container engines accept.
inline constexpr uint64_t kLeastMemory = 6 << 20;  // bytes
inline constexpr uint64_t kLeastMillicores = 10;   // a quota of 1000 us

// A workload that is over before it has covered enough periods is run again, at
// most this often.
inline constexpr uint64_t kMostShortRuns = 20;

// How often a linear sweep runs the workload at each limit if the user does not
// say: networks twice if only CPUs are swept, because times depend on what else
// the machine does, which one run cannot show. Else once.
uint64_t UsualRepeat(const SweepPlan& plan, bool network);

// Sets the step of each range that has none. A linear sweep gets a tenth of the
// range, which gives enough points for a plot. A bisection gets
// `memory_resolution`, or 0.05 CPUs.
void FillSteps(Bytes memory_resolution, SweepPlan& plan);

// Fails with kInvalidInput when a range is ascending or below the minimum, no
// limit is swept, or a count is 0.
Status CheckPlan(const SweepPlan& plan);

}  // namespace mete
