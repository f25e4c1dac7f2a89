// Detects how many values at the front of a series are warm-up.
#pragma once

#include <cstddef>
#include <span>

namespace mete {

// The number of values to remove at the front so that the rest looks like one
// steady level. At most half of the series; 0 for series shorter than 50, where
// a level cannot be distinguished from noise.
size_t WarmupLength(std::span<const double> series);

}  // namespace mete
