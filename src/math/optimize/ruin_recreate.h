// Improves a solution by annealed ruin and recreate on several threads. Parts
// of disjoint bins are searched side by side and mixed again after each round;
// what comes out depends on the seed, not on the number of threads or their
// timing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/packing_tables.h"
#include "optimize/pattern_pool.h"
#include "optimize/search_limits.h"

namespace mete {

// How to search.
struct RuinRequest {
  Patterns start;  // a solution
  // Starts cooler, because a hot search would only spoil the start.
  bool good_start = false;
  std::vector<double> keys;  // of the items: the highest are placed first
  size_t moves = 100000;     // of all parts together
  uint64_t seed = 1;
  size_t threads = 1;
  SearchLimits limits;
};

// Where it ended.
struct RuinResult {
  Patterns best;
  double score = 0;
  size_t evaluations = 0;
  bool cut_short = false;
};

// Adds contents that were visited to the pool.
RuinResult RuinAndRecreate(const PackingTables& tables, PatternPool& pool,
                           const RuinRequest& request);

}  // namespace mete
