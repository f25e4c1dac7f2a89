// Summarises repeated runs of one application: medians with their intervals,
// and how the runs ended.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"
#include "stats/interval.h"
#include "support/json_fwd.h"

namespace mete {

// The distribution of one value over several runs.
struct ValueSummary {
  uint64_t runs = 0;  // runs that have the value
  double p50 = 0;
  double min = 0;
  double max = 0;
  std::optional<Interval> interval;  // of the median, 95 %; absent below 6 runs
};

// A metric reported by the application, over several runs.
struct MetricSummary {
  AppMetricKind kind = AppMetricKind::kNumber;
  std::optional<ValueSummary> rate_hz;
  std::optional<ValueSummary> p50;
  std::optional<ValueSummary> p95;
  std::optional<ValueSummary> p99;
  uint64_t count = 0;    // in all runs
  uint64_t dropped = 0;  // in all runs
};

// Covers the completed runs. If none completed, it covers the runs that timed
// out, without `seconds`. A field is absent when no such run has the value.
struct RepeatSummary {
  std::map<OutcomeKind, uint64_t> outcomes;
  OutcomeKind basis = OutcomeKind::kCompleted;
  std::optional<ValueSummary> seconds;
  std::optional<ValueSummary> latency_seconds;  // medians, of networks
  std::optional<ValueSummary> throughput;       // inferences per second
  std::optional<ValueSummary> cpu_seconds;      // of the whole process
  std::optional<ValueSummary> cpu_cores;        // mean over a run
  std::optional<ValueSummary> peak_bytes;
  std::optional<ValueSummary> throttled_ratio;
  std::optional<ValueSummary> read_bytes;
  std::optional<ValueSummary> written_bytes;
  std::optional<ValueSummary> energy_joules;  // machine-wide
  std::map<std::string, MetricSummary> app_metrics;
};

RepeatSummary SummariseRepeats(const std::vector<Run>& runs);

// The names of the rates (frames per second) that the applications report, at
// most this many, for the columns of a table. Rates that more applications have
// come first, then in alphabetical order.
std::vector<std::string> CommonRates(
    const std::vector<RepeatSummary>& summaries, size_t most);

// {"outcomes": {…}, "basis", "seconds": {"p50", "min", "max", "p50_low",
// "p50_high", "runs"}, …}. Absent values have no key.
Json RepeatSummaryToJson(const RepeatSummary& summary);

}  // namespace mete
