// Proves the best plan: branch and bound over the linear program of patterns
// (Barnhart et al. 1998). Items in or out first, then units of an item per
// class of bins, then bins that hold certain items together (Ryan and Foster
// 1981). Cbc tries to prove small problems as a whole before that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "optimize/branch.h"
#include "optimize/column_generation.h"
#include "optimize/pattern_pool.h"
#include "optimize/search_limits.h"

namespace mete {

// What to prove.
struct ExactRequest {
  SearchLimits limits;
  Patterns start;  // a solution; its score prunes branches
  double gap = 0;  // relative; a solution this close is good enough
  uint64_t seed = 1;
  size_t cbc_nodes = 2000;
  size_t threads = 1;
  // Whether Cbc may try to prove small problems before they are branched.
  bool direct = true;
  // How many plans are made from the linear program before it is branched, if
  // Cbc does not prove the problem.
  size_t dives = 12;
  std::function<void(double score, double bound)> on_progress;
};

// The best solution found, and what no solution exceeds.
struct ExactResult {
  Patterns best;
  double score = 0;
  double bound = 0;
  bool complete = false;  // not ended by the limits
  size_t branches = 0;
  size_t pricings = 0;
  size_t steps = 0;
};

// Fails with kUnavailable if Clp or Cbc cannot be loaded.
Result<ExactResult> BranchAndPrice(const PackingTables& tables,
                                   PatternPool& pool,
                                   const ExactRequest& request);

// A decision that splits the solutions of a branch so that its fractional
// optimum is in neither part. Empty if the optimum is a solution.
std::vector<Branch> SplitBranch(const PackingTables& tables,
                                const Branch& branch, const PatternPool& pool,
                                const MasterOptimum& optimum);

}  // namespace mete
