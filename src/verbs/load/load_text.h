// Formats the result of a load for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/find_rate.h"
#include "load/load_samples.h"
#include "load/load_summary.h"
#include "machine/facts.h"
#include "support/json_fwd.h"

namespace mete {

// The machine that sent the requests.
struct LoadOrigin {
  std::string machine;  // its name
  Environment environment;
  std::string mete_version;
  uint64_t seed = 0;
};

// All targets of one load, and how the objective was kept if there was one.
struct LoadAnswer {
  LoadOrigin origin;
  std::vector<LoadSummary> targets;
  std::optional<RateObjective> objective;
  std::vector<ObjectiveCheck> checks;  // one per target with an objective
};

// A table of quantiles for each target, with what must be known about them.
std::string LoadText(const LoadAnswer& answer);
// {"seed", "machine": {…}, "targets": [{…}]}. Absent values have no key.
Json LoadJson(const LoadAnswer& answer);
// One row per target. Absent values are empty cells.
std::string LoadCsv(const LoadAnswer& answer);

// A search for the highest rate.
struct RateAnswer {
  LoadOrigin origin;
  std::string name;  // of the target
  RateObjective objective;
  Seconds window{0};
  FoundRate found;
};
std::string RateText(const RateAnswer& answer);
Json RateJson(const RateAnswer& answer);
// One row per rate that was measured.
std::string RateCsv(const RateAnswer& answer);
// "80/s: kept, p95 3.20 ms (2.90 ms to 3.60 ms)"
std::string TrialText(const RateTrial& trial, const RateObjective& objective);

// Every request: one row each, with its times in seconds since the start.
std::string SamplesCsv(const std::vector<LoadSamples>& targets);

}  // namespace mete
