// An application's run for people.
#pragma once

#include <string>
#include <vector>

#include "domain/run.h"
#include "support/json.h"

namespace mete {

// Everything about one run; the run must be of an application.
std::string ApplicationText(const Run& run);

// Several runs of the same application: a line for each, and what they have
// in common with its interval.
std::string RepeatText(const std::vector<Run>& runs);

// {"runs": […], "summary": {"seconds": {"p50", "p50_low", "p50_high", "min",
// "max"}, "cpu_seconds": …, "peak_bytes": …, "completed": n}}. Bounds are
// absent below six completed runs.
Json RepeatJson(const std::vector<Run>& runs);

}  // namespace mete
