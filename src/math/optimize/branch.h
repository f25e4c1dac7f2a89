// A part of the solutions of a packing problem: what a node of the branch and
// bound tree stands for.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "optimize/packing_tables.h"
#include "optimize/price_pattern.h"

namespace mete {

// Prices of the rows of the linear program over patterns.
struct MasterPrices {
  std::vector<double> items;    // of one unit
  std::vector<double> classes;  // of one bin
  std::vector<double> rows;     // of the branch
};

// What a row of a branch counts over the bins of a class.
enum class BranchCount {
  kUnits,  // units of the one item in `at_least`
  kBins,   // bins that hold at least these units
};

// lower <= count <= upper.
struct BranchRow {
  BranchCount counted = BranchCount::kUnits;
  size_t bin_class = 0;
  std::vector<Units> at_least;
  double lower = 0;
  double upper = 0;

  // What a bin with these contents adds to the count.
  double CountOf(const Pattern& pattern) const;
};

// Whether an item has to be placed.
enum class Fixing : char { kFree, kOut, kIn };

// All solutions that agree with the decisions so far.
struct Branch {
  std::vector<Fixing> items;
  std::vector<BranchRow> rows;
  double bound = 0;  // no solution of the branch has a higher score
  size_t depth = 0;
  // The best prices of the parent, to start from.
  std::shared_ptr<const MasterPrices> prices;
};

}  // namespace mete
