// The best contents of a knapsack for every capacity and every prefix of a list
// of offers (Bellman 1957): exact where a linear relaxation would take a part
// of a large copy.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/fill_bin.h"

namespace mete {

// Capacities are rounded to cells such that the table never promises too
// little. Made once and filled for many lists.
class KnapsackTable {
 public:
  // Offers join in this order. Those without worth are left out.
  void Fill(std::span<const Offer> offers, double capacity);
  // No contents of the first `offers` offers that fit into `room` are worth
  // more.
  double Best(size_t offers, double room) const;

 private:
  void Join(const Offer& offer, size_t row);

  double cells_per_weight_ = 0;
  size_t columns_ = 0;
  std::vector<double> worth_;  // (offers + 1) x columns
  std::vector<double> other_;
};

}  // namespace mete
