// Makes a plan from the linear program over patterns: fixes one pattern that it
// uses, and solves what is left of the problem again, until all bins are full.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimize/branch.h"
#include "optimize/packing_tables.h"
#include "optimize/pattern_pool.h"
#include "optimize/search_limits.h"
#include "support/result.h"

namespace mete {

// How to dive.
struct DiveRequest {
  SearchLimits limits;
  // Of the linear program over the whole problem.
  const MasterPrices* prices = nullptr;
  // 0: always the pattern that is used most. Otherwise patterns are drawn,
  // those that are used more with a higher probability.
  uint64_t seed = 0;
  size_t threads = 1;
};

// A solution with as many bins as the time suffices for. Costs of moves are
// ignored on the way. Adds patterns to the pool. Fails with kUnavailable if Clp
// or Cbc cannot be loaded.
Result<Patterns> Dive(const PackingTables& tables, PatternPool& pool,
                      const DiveRequest& request);

// Whether patterns of a smaller problem are patterns of the whole one: not if
// an oracle knows the items by their numbers.
bool CanDive(const PackingTables& tables);

}  // namespace mete
