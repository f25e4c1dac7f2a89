// Prices for a start: those of a packing in which items are liquids.
#pragma once

#include <vector>

#include "optimize/branch.h"
#include "optimize/packing_tables.h"

namespace mete {

// Bins are sorted into levels by the tightest limit of what they hold. On each
// level, every resource and the pressure are worth a part of the bin's price. A
// unit pays for what it uses on the cheapest level that it tolerates in the
// cheapest class, and at most its part of the item's score. Then no contents
// pay much more than the price of their bin, and at most that price if
// pressures stand in their usual proportion. The prices minimize the bound that
// follows, which is convex, by steps along some directions.
struct FluidPrices {
  // Without items if there are too many classes to search.
  MasterPrices prices;
  // What a unit of each item would pay if its score were not a limit; 0 if it
  // fits nowhere.
  std::vector<double> costs;
};

// The number of bins of each class.
std::vector<double> BinsOfClasses(const PackingTables& tables);

// With `bins` bins of each class, not necessarily whole numbers.
FluidPrices FindFluidPrices(const PackingTables& tables,
                            const std::vector<double>& bins);

// With more items, a linear program over patterns takes too long to rely on it
// for prices.
inline constexpr size_t kLargeItems = 300;
inline bool IsLarge(const PackingTables& tables) {
  return tables.size() > kLargeItems;
}

}  // namespace mete
