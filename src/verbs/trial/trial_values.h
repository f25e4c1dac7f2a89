// Reads from a run of a trial how well the application did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/run_application.h"
#include "stats/mean_interval.h"
#include "support/result.h"
#include "trial/log_numbers.h"

namespace mete {

// What a trial optimizes. Cost is money per 1,000 steps and follows from the
// throughput and a price.
enum class TrialObjective { kThroughput, kLatency, kCost };
// "throughput", "latency", "cost".
std::string_view ToString(TrialObjective objective);
Result<TrialObjective> ParseTrialObjective(const std::string& text);

// Where the values come from. Neither: the application ends by itself, and one
// run is one step.
struct TrialSource {
  std::string hook;                  // metric that the application reports
  std::optional<LogPattern> in_log;  // numbers in its output
};

// The steps per second of a run, or its seconds per step for kLatency, as
// consecutive values. `log` is the application's output. Empty when the run
// ended before there was a value. Fails with kNotFound when the run reported
// other metrics only, with kInvalidInput when the metric has no latency.
Result<std::vector<ValueBatch>> ReadTrialValues(const ApplicationRun& run,
                                                const std::string& log,
                                                const TrialSource& source,
                                                TrialObjective objective);

// From all values of a variant. Rates in a log are averaged as if each stood
// for the same number of steps; without a source each value is a run of its
// own. Absent without values.
std::optional<MeanEstimate> EstimateTrialValue(
    const std::vector<ValueBatch>& values, const TrialSource& source,
    TrialObjective objective);

// Money per 1,000 steps. Absent when the throughput is not positive.
std::optional<MeanEstimate> CostPerThousand(const MeanEstimate& throughput,
                                            double price_per_hour);

}  // namespace mete
