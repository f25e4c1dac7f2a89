// The best combination of known patterns, by Cbc: what a search found in
// different plans becomes one plan.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/branch.h"
#include "optimize/integer_program.h"
#include "optimize/pattern_master.h"
#include "optimize/pattern_pool.h"

namespace mete {

// What to combine.
struct RecombineRequest {
  // Patterns of the pool are chosen by their profit at these prices.
  const MasterPrices* prices = nullptr;
  size_t most_patterns = 2000;
  // A solution to start from; its patterns are always included.
  Patterns start;
  IntegerLimits limits;
};

// A solution that scores at least as much as the start. Fails with kUnavailable
// if Cbc cannot be loaded.
Result<Patterns> RecombinePatterns(const PackingTables& tables,
                                   PatternPool& pool,
                                   const RecombineRequest& request);

}  // namespace mete
