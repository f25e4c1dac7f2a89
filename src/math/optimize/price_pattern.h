// Finds the contents of a bin with the highest profit when every unit of an
// item brings a given price: the subproblem of column generation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/packing_tables.h"
#include "optimize/pressure_cone_type.h"
#include "optimize/search_limits.h"

namespace mete {

// A property that some contents have: at least these units of these items.
// Branching adds or takes `bonus` for each bin that has it.
struct Feature {
  std::vector<Units> at_least;
  double bonus = 0;

  bool MetBy(const std::vector<Units>& contents) const;
};

// What to search for.
struct PricingRequest {
  size_t bin_class = 0;
  // Paid for one unit of each item. Costs are subtracted by the search.
  std::span<const double> prices;
  std::span<const Feature> features;
  // Contents with less profit are of no interest.
  double least = 0;
  // Contents that are better than the best ones by at most this are not
  // searched for, although the bound covers them.
  double tolerance = 0;
  size_t most_boxes = 1000;
  size_t most_steps = 1000000;           // of the depth-first searches together
  size_t most_patterns = 8;              // to return
  const SearchLimits* limits = nullptr;  // if there are any
  // More contents to return, of items that the contents before do not have.
  size_t spread = 0;
  // Cones of the last search of this class, to start from; updated. May be
  // absent.
  std::vector<PressureCone>* cones = nullptr;
  // At most this many units of each item, besides the limits of the class.
  // Empty: no further limits.
  std::span<const int> most_units;
};

// Contents and their profit: prices and bonuses less costs.
struct PricedPattern {
  double profit = 0;
  Pattern pattern;
};

// The outcome of a search.
struct PricingResult {
  std::vector<PricedPattern> best;  // with more than `least`, best first
  std::vector<PricedPattern> spread;
  // No contents have a higher profit; at least `least`. Empty contents have 0.
  double bound = 0;
  size_t steps = 0;
};

// Branches on cones: contents whose pressures stand in similar proportions. In
// a cone, the rows of each item are one limit on one number, and the best
// contents below each limit are a knapsack, bounded by its linear relaxation
// and searched depth first. The cone with the highest bound is next. The bound
// is valid however early the search ends.
PricingResult PricePatterns(const PackingTables& tables,
                            const PricingRequest& request);

}  // namespace mete
