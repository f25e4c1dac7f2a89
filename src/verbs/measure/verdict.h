// Summarises a series of latencies and judges whether to trust it.
#pragma once

#include <optional>

#include "domain/run.h"
#include "stats/stopping.h"

namespace mete {

// The distance of the farther bound, relative to the middle: 0.02 is 2 %.
double RelativeHalfWidth(double middle, const Interval& interval);

// Absent when nothing is left after the warm-up.
std::optional<LatencySummary> SummariseLatency(const SteadyPart& part);

// Whether the calls took long enough to show the speed under a CPU quota.
// Within one period, all of them may run at full speed.
bool CoversQuotaPeriods(const SteadyPart& part);

// What the numbers must be good for, and how they were made.
struct JudgementRequest {
  double target = 0.02;  // the precision that the median must have
  // Whether the calls were to continue until the target was reached.
  bool adaptive = true;
  std::optional<uint64_t> asked_iterations;
  bool has_cpu_quota = false;  // the calls must cover enough of its periods
};

// Checks in this order: drift and bimodality, which make every other number
// doubtful; too few periods of a CPU quota; too few values; an interval wider
// than the target, whatever ended the series.
Verdict Judge(const SteadyPart& part, const JudgementRequest& request);

}  // namespace mete
