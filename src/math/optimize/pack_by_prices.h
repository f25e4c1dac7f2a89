// A first plan for many bins, from the prices of a packing of liquids.
#pragma once

#include <vector>

#include "optimize/packing_tables.h"
#include "optimize/search_limits.h"

namespace mete {

// How to fill bins.
struct PricedRequest {
  // What a unit of each item costs, from FindFluidPrices.
  const std::vector<double>& costs;
  size_t threads = 1;
  SearchLimits limits;
};

// Fills one bin after the other with what costs the most, so that no bin wastes
// what another one needs; the classes take turns. What is not complete in the
// end is taken out, and what still fits anywhere is added. Tries twice, with
// more or less weight on the scores, and returns the better plan.
Patterns PackByPrices(const PackingTables& tables,
                      const PricedRequest& request);

// The score of each item per cost of its units.
std::vector<double> KeysOf(const PackingTables& tables,
                           const std::vector<double>& costs);

}  // namespace mete
