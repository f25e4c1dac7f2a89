// Finds where a series moved to another level and stayed there, and its trend.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/interval.h"

namespace mete {

// The level changes by `change` at sample `at`.
struct Shift {
  size_t at = 0;
  double change = 0;
};

// Up to three shifts in the order of time. Expects a series without periods;
// values that are not finite are gaps. A shift must stand out from all other
// changes of the running median, and the levels before and after must differ by
// much more than the noise around them.
std::vector<Shift> FindLevelShifts(std::span<const double> series);

// Removes the shifts: what came before is moved to the last level.
std::vector<double> WithoutShifts(std::span<const double> series,
                                  const std::vector<Shift>& shifts);

// Slope per sample, robust against outliers (Theil and Sen), with its 95 %
// interval (Sen, 1968), widened if deviations remember those before.
struct Slope {
  double slope = 0;
  Interval interval;
};
// Absent with fewer than 8 measured values.
std::optional<Slope> RobustSlope(std::span<const double> series);

}  // namespace mete
