// Summarises the same measurement of a network made in several processes.
#pragma once

#include <vector>

#include "domain/run.h"

namespace mete {

// The mean of the runs' medians with an interval that contains the variation
// between processes, and a verdict: that of the first run that is not stable,
// else not converged if the interval is wider than +-target. Every run must
// have a latency. `index` stays 0.
ProcessRepeats SummariseProcesses(const std::vector<Run>& runs, double target);

// The largest median over the smallest, minus one: 0.08 is 8 %.
double SpreadOf(const ProcessRepeats& repeats);

}  // namespace mete
