// Sums energy over time from what a machine has: counters, or power.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "linux/energy.h"
#include "support/units.h"

namespace mete {

// Of one source, or of several that are always told together.
class EnergySum {
 public:
  // The joules since the first call; absent when nothing is told. What was
  // drawn while no power was told (a battery that is charged) is not known and
  // not counted; counters go on by themselves.
  std::optional<double> Add(const std::vector<EnergyCounter>& counters,
                            std::optional<Watts> power,
                            std::chrono::nanoseconds now);

 private:
  std::vector<EnergyCounter> counters_;
  std::optional<Watts> power_;  // at the last call
  std::chrono::nanoseconds at_{0};
  double joules_ = 0;
};

}  // namespace mete
