// Prices for a start: each unit pays for the one load that it uses the most.
#pragma once

#include "optimize/packing_tables.h"
#include "optimize/pattern_master.h"

namespace mete {

// A unit pays the share of a bin that it would use if the bin held only items
// as sensitive as itself, and at most its part of the item's score. In a bin
// with one limit these shares sum to at most 1, so no contents pay more than
// the price of the bin. The prices of the bins minimize the bound that follows.
// Without prices if there are too many classes to search.
MasterPrices SharePrices(const PackingTables& tables);

}  // namespace mete
