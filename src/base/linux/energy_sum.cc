#include "linux/energy_sum.h"

#include <algorithm>

namespace mete {

std::optional<double> EnergySum::Add(const std::vector<EnergyCounter>& counters,
                                     std::optional<Watts> power,
                                     std::chrono::nanoseconds now) {
  // Chips that measure small signed currents report values slightly below 0.
  if (power) power = Watts{std::max(0.0, power->count)};
  if (!counters.empty()) {
    for (const EnergyCounter& after : counters) {
      for (const EnergyCounter& before : counters_) {
        auto between = EnergyBetween(before, after);
        if (between) joules_ += static_cast<double>(between->count) * 1e-6;
      }
    }
    counters_ = counters;
  } else if (power && power_) {
    // Trapezoid between two readings.
    joules_ +=
        0.5 * (power->count + power_->count) * Seconds(now - at_).count();
  }
  power_ = power;
  at_ = now;
  if (counters.empty() && !power) return std::nullopt;
  return joules_;
}

}  // namespace mete
