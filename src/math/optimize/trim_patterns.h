// Makes patterns whose units do not add up a solution.
#pragma once

#include "optimize/packing_tables.h"

namespace mete {

// Removes units that items have too many, and all units of items that have too
// few. Removing units keeps contents feasible unless an oracle that is not
// monotone disagrees.
Patterns TrimPatterns(const PackingTables& tables, Patterns patterns);

}  // namespace mete
