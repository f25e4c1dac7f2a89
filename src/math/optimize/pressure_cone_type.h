// Contents of a bin whose pressures stand in certain proportions.
#pragma once

#include <vector>

namespace mete {

// All vectors p >= 0 of pressures with low_d <= p_d / s <= high_d, where
// s = across . p is the sum of the pressures on an axis across them. The last
// pressure follows from the others.
struct PressureCone {
  std::vector<double> low, high;  // one less than there are pressures
  // Prices of the constraints that the sweep does not search: the sides of the
  // cone and the capacities of the resources. Not negative. Each limit has a
  // bound for every vector of prices, and the lowest one counts: contents that
  // are tight in a resource need other prices than those that are not.
  std::vector<std::vector<double>> prices;
  double bound = 0;
  bool tight = false;  // the prices were chosen for the offers at hand
  bool operator<(const PressureCone& other) const {
    return bound < other.bound;
  }
};

}  // namespace mete
