// Annealed ruin and recreate over a few bins (Schrimpf et al. 2000; Shaw 1998):
// empties parts of two or three bins, fills them again from what was removed
// and from items that are not placed, and keeps the change by Metropolis' rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/bin_state.h"
#include "optimize/packing_tables.h"
#include "optimize/search_limits.h"

namespace mete {

// Bins that one search changes, and items that it may place. No other search
// has them at the same time.
struct SearchPart {
  std::vector<BinState> bins;
  std::vector<size_t> waiting;  // items without units in any bin
};

// How to search.
struct PartRequest {
  size_t moves = 1000;
  uint64_t seed = 1;
  double hot = 1, cold = 1;  // temperature at the start and at the end
  // Items with a high key are placed first, usually.
  const std::vector<double>* keys = nullptr;
  size_t most_patterns = 0;  // to remember
  SearchLimits limits;
};

// What the search made of its part.
struct PartResult {
  SearchPart last;
  SearchPart best;
  double last_gain = 0;  // of score, compared with the part as it was
  double best_gain = 0;
  std::vector<Pattern> visited;  // contents of accepted changes
  size_t evaluations = 0;        // attempts to add an item to a bin
  bool cut_short = false;
};

// Units of items that are partly in other bins stay in the part's bins.
PartResult SearchPartOfBins(const PackingTables& tables, SearchPart part,
                            const PartRequest& request);

}  // namespace mete
