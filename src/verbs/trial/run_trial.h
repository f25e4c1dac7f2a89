// Runs short trials of one application under different limits, GPUs or devices
// and finds the variant that does best.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "measure/measure_application.h"
#include "measure/progress_lines.h"
#include "support/result.h"
#include "trial/trial_values.h"
#include "trial/variants.h"

namespace mete {

// What to try and for how long.
struct TrialRequest {
  ApplicationSpec application;  // its `repeat` and `timeout` are ignored
  std::vector<TrialAxis> axes;  // at least one
  TrialSource source;
  TrialObjective objective = TrialObjective::kThroughput;
  std::optional<TrialPrices> prices;  // required for kCost
  Seconds budget{600};                // for all runs together
  bool allow_privileged = false;
  std::string mete_version;
};

// One variant and how it did.
struct TrialEntry {
  std::string label;
  std::vector<std::string> run_ids;  // in the store
  // Steps per second (seconds per step for kLatency); absent without values.
  std::optional<MeanEstimate> value;
  std::optional<MeanEstimate> cost;  // per 1,000 steps, if there are prices
  std::optional<double> efficiency;  // see TrialResult
  std::string failure;               // why it was given up; empty: it was not
};

// What came out of a trial.
struct TrialResult {
  TrialObjective objective = TrialObjective::kThroughput;
  // Best first, then those that failed. `efficiency` is the throughput per CPU
  // or GPU, relative to the variant with the fewest, if only this varies.
  std::vector<TrialEntry> entries;
  // True when the best is surely better than every other variant.
  bool decided = false;
  bool interrupted = false;
  Seconds spent{0};
  Status stored;  // whether all runs are in the store
  std::vector<std::string> notes;
};

// Runs all variants in turn, drops the worse half, and continues with longer
// runs until one variant is surely the best or the budget is spent. Every run
// is stored; one that the trial ended counts as timed out. Fails when the
// application cannot be run at all and when it never reports what `source`
// names.
Result<TrialResult> RunTrial(const TrialRequest& request,
                             const MeasureApplicationDependencies& dependencies,
                             const ProgressLines& lines, std::stop_token stop);

}  // namespace mete
