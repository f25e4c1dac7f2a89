#include "series/level_shifts.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr size_t kMostMeans = 240;
constexpr size_t kMostShifts = 3;
// In robust standard deviations of the changes elsewhere, and of the noise.
constexpr double kChangeSignificance = 8;
constexpr double kNoiseSignificance = 4;

struct Blocks {
  size_t width = 1;
  std::vector<double> values;
};

Blocks MakeBlocks(std::span<const double> series, size_t most) {
  Blocks blocks;
  blocks.width = std::max<size_t>(1, series.size() / most);
  for (size_t begin = 0; begin + blocks.width <= series.size();
       begin += blocks.width) {
    std::vector<double> present;
    for (double value : series.subspan(begin, blocks.width)) {
      if (std::isfinite(value)) present.push_back(value);
    }
    if (present.empty()) {
      blocks.values.push_back(blocks.values.empty() ? NAN
                                                    : blocks.values.back());
    } else {
      blocks.values.push_back(*Quantile(present, 0.5));
    }
  }
  return blocks;
}

double MedianOf(std::span<const double> values) {
  std::vector<double> finite;
  for (double value : values) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  return Quantile(finite, 0.5).value_or(0);
}

// 1.4826 median |x - median|: the standard deviation of a normal distribution.
double RobustDeviation(std::vector<double> values) {
  const double middle = MedianOf(values);
  for (double& value : values) value = std::abs(value - middle);
  return 1.4826 * MedianOf(values);
}

// The clearest shift between `begin` and `end`, if there is one.
std::optional<Shift> ClearestShift(std::span<const double> values) {
  const size_t n = values.size();
  const size_t reach = std::max<size_t>(6, n / 12);
  if (n < 4 * reach) return std::nullopt;
  std::vector<double> changes;
  size_t best = 0;
  for (size_t t = reach; t + reach <= n; ++t) {
    changes.push_back(MedianOf(values.subspan(t, reach)) -
                      MedianOf(values.subspan(t - reach, reach)));
    if (std::abs(changes.back()) > std::abs(changes[best])) {
      best = changes.size() - 1;
    }
  }
  // Where the two medians differ most, the shift is the largest single change.
  size_t at = best + reach;
  double largest = 0;
  for (size_t t = best + reach / 2; t < best + 2 * reach && t < n; ++t) {
    if (t == 0) continue;
    const double change = std::abs(values[t] - values[t - 1]);
    if (change > largest) {
      largest = change;
      at = t;
    }
  }
  const double before = MedianOf(values.first(at));
  const double after = MedianOf(values.subspan(at));
  std::vector<double> noise;
  for (size_t t = 0; t < n; ++t) {
    noise.push_back(values[t] - (t < at ? before : after));
  }
  const double change = after - before;
  const double elsewhere = RobustDeviation(changes);
  const double around = RobustDeviation(noise);
  const double floor = 1e-9 * (std::abs(before) + std::abs(after));
  if (std::abs(changes[best]) <= kChangeSignificance * elsewhere + floor ||
      std::abs(change) <= kNoiseSignificance * around + floor ||
      change * changes[best] <= 0 || largest < 0.5 * std::abs(change)) {
    return std::nullopt;
  }
  return Shift{.at = at, .change = change};
}

// How many times the variance of a trend is that of independent values, if the
// deviations from the line remember those before: (1 + r) / (1 - r) with their
// autocorrelation r at lag 1 (Bayley and Hammersley, 1946). The estimate of r
// about a fitted line is too low by about (2 + 4 r) / n.
double VarianceInflation(const std::vector<double>& values, double slope) {
  std::vector<double> rest;
  for (size_t i = 0; i < values.size(); ++i) {
    rest.push_back(values[i] - slope * static_cast<double>(i));
  }
  const double middle = MedianOf(rest);
  double square = 0, product = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    rest[i] -= middle;
    square += rest[i] * rest[i];
    if (i > 0) product += rest[i] * rest[i - 1];
  }
  const double n = static_cast<double>(rest.size());
  if (!(square > 0) || n <= 4) return 1;
  const double r = std::clamp((n * product / square + 2) / (n - 4), 0.0, 0.98);
  return (1 + r) / (1 - r);
}

}  // namespace

std::vector<Shift> FindLevelShifts(std::span<const double> series) {
  std::vector<Shift> shifts;
  Blocks blocks = MakeBlocks(series, kMostMeans);
  std::vector<double>& values = blocks.values;
  for (size_t round = 0; round < kMostShifts; ++round) {
    const auto shift = ClearestShift(values);
    if (!shift) break;
    for (size_t t = 0; t < shift->at; ++t) values[t] += shift->change;
    shifts.push_back({shift->at * blocks.width, shift->change});
  }
  std::ranges::sort(shifts, {}, &Shift::at);
  return shifts;
}

std::vector<double> WithoutShifts(std::span<const double> series,
                                  const std::vector<Shift>& shifts) {
  std::vector<double> aligned(series.begin(), series.end());
  for (const Shift& shift : shifts) {
    for (size_t t = 0; t < shift.at && t < aligned.size(); ++t) {
      aligned[t] += shift.change;
    }
  }
  return aligned;
}

std::optional<Slope> RobustSlope(std::span<const double> series) {
  const auto measured = static_cast<size_t>(std::ranges::count_if(
      series, [](double value) { return std::isfinite(value); }));
  if (measured < 8) return std::nullopt;
  // Medians of a few blocks, whose noise is less dependent than that of values.
  const Blocks blocks = MakeBlocks(series, 24);
  std::vector<double> slopes;
  for (size_t i = 0; i < blocks.values.size(); ++i) {
    for (size_t j = i + 1; j < blocks.values.size(); ++j) {
      const double slope = (blocks.values[j] - blocks.values[i]) /
                           static_cast<double>((j - i) * blocks.width);
      if (std::isfinite(slope)) slopes.push_back(slope);
    }
  }
  if (slopes.empty()) return std::nullopt;
  std::ranges::sort(slopes);
  const double n = static_cast<double>(blocks.values.size());
  const double pairs = static_cast<double>(slopes.size());
  const double slope = *QuantileOfSorted(slopes, 0.5);
  const double inflation = VarianceInflation(
      blocks.values, slope * static_cast<double>(blocks.width));
  const double half = NormalQuantile(0.975) *
                      std::sqrt(inflation * n * (n - 1) * (2 * n + 5) / 18) / 2;
  auto rank = [&](double value) { return std::clamp(value, 1.0, pairs); };
  return Slope{.slope = slope,
               .interval = {AtRank(slopes, rank((pairs + 1) / 2 - half)),
                            AtRank(slopes, rank((pairs + 1) / 2 + half))}};
}

}  // namespace mete
