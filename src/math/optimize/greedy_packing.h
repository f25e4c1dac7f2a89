// The baseline: one pass over the items, those with the highest score per load
// first.
#pragma once

#include <vector>

#include "optimize/packing_tables.h"

namespace mete {

// The share of a bin that all units of an item need where they fit best, judged
// by its tightest limit; kFitsNowhere if no bin takes it.
inline constexpr double kFitsNowhere = 1e12;
std::vector<double> SizesOf(const PackingTables& tables);

// The same for one unit in the bins of one class.
std::vector<double> SharesOfUnits(const PackingTables& tables,
                                  size_t bin_class);

Patterns PackGreedily(const PackingTables& tables);

}  // namespace mete
