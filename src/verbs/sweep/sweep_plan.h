// What a sweep tries: the bounds of its limits and the steps between them.
#pragma once

#include <cstdint>

#include "domain/sweep.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The least a limit may be: below, container engines refuse it.
inline constexpr uint64_t kLeastMemory = 6 << 20;  // bytes
inline constexpr uint64_t kLeastMillicores = 10;   // a quota of 1000 us

// Gives a step to each range that has none. Linear: a tenth of the way, about
// as many runs as a plot needs. Bisecting: `memory_resolution`, and 0.05 CPUs.
void FillSteps(Bytes memory_resolution, SweepPlan& plan);

// Fails with kInvalidInput when a range runs upwards or below the least,
// nothing is swept, or a count is 0.
Status CheckPlan(const SweepPlan& plan);

}  // namespace mete
