// How many first iterations of a series are warm-up.
#pragma once

#include <cstddef>
#include <span>

namespace mete {

// The number of values to leave out at the front so that the rest looks like
// one steady level; at most half of the series, and 0 for series shorter than
// 50, where a level cannot be told from noise.
size_t WarmupLength(std::span<const double> series);

}  // namespace mete
