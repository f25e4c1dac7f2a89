// Accumulates energy over time from energy counters or power readings.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "linux/energy.h"
#include "support/units.h"

namespace mete {

// Energy of one source, or of several that always report together.
class EnergySum {
 public:
  // The joules since the first call; absent when neither input is given. Energy
  // drawn while no power was reported (a battery that is charging) is unknown
  // and not counted; counters continue by themselves.
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
