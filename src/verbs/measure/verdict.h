// Summarises a series of latencies and judges whether to trust it.
#pragma once

#include <optional>

#include "domain/run.h"
#include "stats/stopping.h"

namespace mete {

// Absent when nothing is left after the warm-up.
std::optional<LatencySummary> SummariseLatency(const SteadyPart& part);

// The precision and number of calls that were requested.
struct JudgementRequest {
  std::optional<double> target;  // absent: no precision was requested
  std::optional<uint64_t> asked_iterations;
};

// Checks in this order: drift and bimodality, which make every other number
// doubtful; too few values; an interval wider than requested.
Verdict Judge(const SteadyPart& part, const JudgementRequest& request);

}  // namespace mete
