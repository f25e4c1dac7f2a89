// The bounds of the buckets in which an agent counts durations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// Upper bounds in seconds, ascending; one more bucket holds the rest. Shared by
// all metrics of an agent.
using DurationBounds = std::shared_ptr<const std::vector<double>>;

// Every series of a histogram has this many lines and one more.
inline constexpr size_t kMostDurationBounds = 200;

// 57 bounds from 0.1 ms to 10 s. From 1 ms to 1 s two neighbours differ by at
// most a factor of 1.25, and so do a quantile and what histogram_quantile of
// Prometheus makes of it.
DurationBounds DefaultDurationBounds();

// Parses a list of durations, "1ms,2ms,5ms", or a range with the number of
// bounds per factor of ten, "1ms:10s:20". Fails with kInvalidInput unless the
// bounds are positive, ascending and at most kMostDurationBounds.
Result<DurationBounds> ParseDurationBounds(const std::string& text);

}  // namespace mete
