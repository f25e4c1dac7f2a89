// The part of the known patterns that a program is made of: all of them would
// make it slow, and most are of no use at the prices of the moment.
#pragma once

#include <cstddef>
#include <vector>

#include "optimize/branch.h"
#include "optimize/pattern_pool.h"

namespace mete {

// What to choose.
struct PatternChoice {
  // Patterns with the highest profit less the price of their bin. Absent: the
  // latest ones.
  const MasterPrices* prices = nullptr;
  size_t most = 0;
  // Chosen in any case, besides the others.
  const Patterns* always = nullptr;
};

// Positions in the pool, ascending.
std::vector<size_t> ChoosePatterns(PatternPool& pool,
                                   const PatternChoice& choice);

}  // namespace mete
