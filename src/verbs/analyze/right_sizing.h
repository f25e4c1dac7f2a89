// Recommends a CPU and memory request and limit from measured usage.
#pragma once

#include "analyze/analyze_job.h"

namespace mete {

// docs/reference/analyze.md explains the rule.
RightSizing FindRightSizing(const JobSeries& series, const JobEvents& events);

}  // namespace mete
