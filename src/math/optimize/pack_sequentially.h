// NeuRO's scheme: fill one bin after the other with the best of what is left.
#pragma once

#include "optimize/packing_tables.h"
#include "optimize/search_limits.h"
#include "optimize/solve_packing.h"

namespace mete {

// How to go through the bins.
struct SequentialRequest {
  BinOrder order = BinOrder::kLowRankFirst;
  BinFilling filling = BinFilling::kRelaxAndRound;
  SearchLimits limits;
};

// Items of which copies are left over at the end are taken out, as NeuRO does.
// A unit of an item counts for the item's score divided by the units that are
// still missing. With more than 400 items left, a bin is filled from the 400
// with the highest score per size.
Patterns PackSequentially(const PackingTables& tables,
                          const SequentialRequest& request);

}  // namespace mete
