#include "series/seasonal_profile.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mete {
namespace {

constexpr double kMostPoints = 64;

// The mean of the values at each of `points` phases; every value counts for the
// two phases next to it, by distance.
std::vector<double> MeanCycle(const PreparedSeries& series, double period,
                              size_t points) {
  std::vector<double> sum(points), weight(points);
  const double scale = static_cast<double>(points);
  for (size_t t = 0; t < series.size(); ++t) {
    if (series.missing[t]) continue;
    const double cycle = static_cast<double>(t) / period;
    const double at = (cycle - std::floor(cycle)) * scale;
    const auto before = static_cast<size_t>(at) % points;
    const double share = at - std::floor(at);
    const size_t after = before + 1 == points ? 0 : before + 1;
    sum[before] += (1 - share) * series.values[t];
    weight[before] += 1 - share;
    sum[after] += share * series.values[t];
    weight[after] += share;
  }
  for (size_t i = 0; i < points; ++i) {
    sum[i] = weight[i] > 0 ? sum[i] / weight[i] : 0;
  }
  return sum;
}

}  // namespace

PreparedSeries WithoutProfile(const PreparedSeries& series, double period) {
  const auto points =
      static_cast<size_t>(std::clamp(std::round(period), 4.0, kMostPoints));
  const std::vector<double> mean = MeanCycle(series, period, points);
  PreparedSeries rest = series;
  const double scale = static_cast<double>(points);
  for (size_t t = 0; t < rest.size(); ++t) {
    const double cycle = static_cast<double>(t) / period;
    const double at = (cycle - std::floor(cycle)) * scale;
    const auto before = static_cast<size_t>(at) % points;
    const size_t after = before + 1 == points ? 0 : before + 1;
    const double share = at - std::floor(at);
    rest.values[t] -= (1 - share) * mean[before] + share * mean[after];
  }
  return rest;
}

}  // namespace mete
