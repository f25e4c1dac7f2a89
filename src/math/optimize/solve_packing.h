// Solves packing problems: the plan, and a proof of how good it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "optimize/packing_problem.h"
#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// How to search.
enum class PackingMethod {
  kAuto,        // exact for small problems, fast otherwise
  kExact,       // branch and price; proves optimality unless time runs out
  kFast,        // search, recombination, and a bound
  kGreedy,      // one pass by value per load, with a bound
  kSequential,  // bin by bin, as NeuRO does: relax, round, next bin
};

// In which order the sequential method fills bins.
enum class BinOrder {
  kLowRankFirst,
  kHighRankFirst,
};

// How the sequential method fills one bin.
enum class BinFilling {
  kRelaxAndRound,  // linear relaxation, rounded greedily
  kExactly,        // the best contents for the items that are left
};

// What a long search reports now and then.
struct PackingProgress {
  Seconds elapsed{0};
  double score = 0;
  double bound = 0;
};

// One call of SolvePacking.
struct PackingRequest {
  PackingMethod method = PackingMethod::kAuto;
  // After this time the best plan so far is returned.
  Seconds time_limit{10};
  // Stops when the proven gap is at most this; 0 asks for the optimum.
  double gap = 0;
  uint64_t seed = 1;
  // 0: one per core. The plan does not depend on it.
  size_t threads = 0;
  // How long the search is, as a multiple of the usual number of steps. The
  // steps are counted and not timed, so that the plan can be repeated.
  double effort = 1;
  BinOrder order = BinOrder::kLowRankFirst;
  BinFilling filling = BinFilling::kRelaxAndRound;
  // May be empty. Called from the calling thread only.
  std::function<void(const PackingProgress&)> on_progress;
};

// What a plan is worth.
struct PackingWorth {
  double value = 0;  // of the items that are placed
  double cost = 0;   // of bins, copies and moves
  // What is maximized: follows from goal and priorities. For kMostValue without
  // priorities it is value - cost.
  double score = 0;
  size_t placed = 0;  // items
  size_t bins = 0;    // that hold a copy
};

// What the search did.
struct PackingEffort {
  size_t evaluations = 0;  // additions of copies to a bin that were tried
  size_t patterns = 0;     // different bin contents kept
  size_t pricings = 0;     // searches for contents with a positive reduced cost
  size_t branches = 0;     // nodes of the branch and bound tree
};

// A plan and how good it is.
struct PackingOutcome {
  PackingPlan plan;
  PackingWorth worth;
  // No plan has a higher score.
  double bound = 0;
  // The score could be higher by at most this share of it; of the cost for
  // kLeastCost. From 0 to 1.
  double gap = 0;
  bool optimal = false;  // proven: no plan is better by more than a millionth
  // Ended by the time limit or by `stop`: another run may give another plan.
  bool cut_short = false;
  PackingMethod method = PackingMethod::kAuto;  // that was used
  Seconds elapsed{0};
  PackingEffort effort;
  uint64_t seed = 0;
};

// Fails with kInvalidInput as CheckProblem does, and with kUnavailable if Clp
// or Cbc cannot be loaded. An infeasible item is not an error: it is not
// placed.
Result<PackingOutcome> SolvePacking(const PackingProblem& problem,
                                    const PackingRequest& request,
                                    const Clock& clock, std::stop_token stop);

// Value, costs and score of a plan that Verify accepts.
PackingWorth WorthOf(const PackingProblem& problem, const PackingPlan& plan);

}  // namespace mete
