// Compares policies on a trace: every policy with every seed.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "simulate/simulate_run.h"
#include "stats/mean_interval.h"
#include "support/clock.h"

namespace mete {

// The policies by their names: random, bestfit, dotprod, fgd, mete.
enum class SimulatedPolicy { kRandom, kBestFit, kDotProduct, kFgd, kMete };

std::string ToString(SimulatedPolicy policy);
// Fails with kInvalidInput and the nearest name.
Result<SimulatedPolicy> ParseSimulatedPolicy(const std::string& name);

// What to simulate.
struct SimulateRequest {
  std::vector<SimulatedPolicy> policies;
  std::vector<uint64_t> seeds;
  std::vector<double> levels{1};  // ascending
  // The policy mete learns the mix of pods from arrivals. FGD always knows it.
  bool learns = false;
  unsigned jobs = 1;  // runs at the same time
};

// Where time comes from and progress goes.
struct SimulateDependencies {
  const Clock& clock;
  // After each run; may be called from several threads, one at a time.
  std::function<void(size_t done, size_t all)> progress;
};

// One run of one policy.
struct SimulatedRun {
  SimulatedPolicy policy{};
  uint64_t seed = 0;
  std::vector<SimulatedLevel> levels;
  Seconds time{};
};

// The runs of a policy at a level.
struct PolicySummary {
  SimulatedPolicy policy{};
  double level = 0;  // as requested
  size_t runs = 0;
  MeanEstimate allocated;
  // Means of a run.
  double rejected = 0;
  double rejected_without_gpus = 0;
  double rejected_largest = 0;  // with the most GPUs that a pod requires
  Seconds time{};
};

// What came out, in the order of the request.
struct Simulation {
  SimulateRequest request;
  std::vector<SimulatedRun> runs;
  std::vector<PolicySummary> summaries;
  int most_gpus = 0;
  bool interrupted = false;  // runs are missing
};

// Runs that ended before `stop` are kept. Fails with kUnavailable if the policy
// mete cannot load its solver.
Result<Simulation> SimulateCluster(const GpuTrace& trace,
                                   const SimulateRequest& request,
                                   const SimulateDependencies& needs,
                                   std::stop_token stop);

}  // namespace mete
