// What a series of latencies amounts to: its summary, and whether to trust it.
#pragma once

#include <optional>

#include "domain/run.h"
#include "stats/stopping.h"

namespace mete {

// Absent when nothing is left after the warm-up.
std::optional<LatencySummary> SummariseLatency(const SteadyPart& part);

// What was asked of a series and what came in between.
struct JudgementRequest {
  std::optional<double> target;  // absent: no precision was asked for
  std::optional<uint64_t> asked_iterations;
};

// In this order: drift and two levels make every other number doubtful, then
// too few values, then an interval wider than asked for.
Verdict Judge(const SteadyPart& part, const JudgementRequest& request);

}  // namespace mete
