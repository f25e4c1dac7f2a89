#include "series/even_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "stats/quantile.h"

namespace mete {
namespace {

using Point = std::pair<double, double>;  // time, value

std::vector<Point> FinitePoints(std::span<const double> times,
                                std::span<const double> values) {
  std::vector<Point> points;
  points.reserve(times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    if (std::isfinite(times[i]) && std::isfinite(values[i])) {
      points.emplace_back(times[i], values[i]);
    }
  }
  if (!std::ranges::is_sorted(points, {}, &Point::first)) {
    std::ranges::stable_sort(points, {}, &Point::first);
  }
  return points;
}

double MedianDistance(const std::vector<Point>& points) {
  std::vector<double> distances;
  distances.reserve(points.size());
  for (size_t i = 1; i < points.size(); ++i) {
    const double distance = points[i].first - points[i - 1].first;
    if (distance > 0) distances.push_back(distance);
  }
  if (distances.empty()) return 1;
  const auto middle =
      distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace

Result<EvenSeries> MakeEven(std::span<const double> times,
                            std::span<const double> values, double step) {
  const std::vector<Point> points = FinitePoints(times, values);
  EvenSeries even;
  if (points.empty()) return even;
  even.start = points.front().first;
  even.step = step > 0 ? step : MedianDistance(points);
  const double slots =
      std::round((points.back().first - even.start) / even.step) + 1;
  if (slots > static_cast<double>(kMostEvenValues)) {
    return InvalidInput("the series has " + std::to_string(slots) +
                        " samples at a step of " + std::to_string(even.step) +
                        " s; choose a longer step");
  }
  even.values.assign(static_cast<size_t>(slots), 0);
  std::vector<unsigned> counts(even.values.size());
  for (const auto& [time, value] : points) {
    const auto slot = std::min(
        even.values.size() - 1,
        static_cast<size_t>(std::round((time - even.start) / even.step)));
    even.values[slot] += value;
    ++counts[slot];
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    even.values[i] = counts[i] > 0 ? even.values[i] / counts[i]
                                   : std::numeric_limits<double>::quiet_NaN();
  }
  return even;
}

}  // namespace mete
