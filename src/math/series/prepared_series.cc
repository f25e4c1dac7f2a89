#include "series/prepared_series.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

double QuantileInPlace(std::vector<double>& values, double p) {
  auto place = std::lround(p * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

void Clip(PreparedSeries& series) {
  std::vector<double> sorted;
  sorted.reserve(series.measured);
  for (size_t i = 0; i < series.size(); ++i) {
    if (!series.missing[i]) sorted.push_back(series.values[i]);
  }
  if (sorted.empty()) return;
  const double low = QuantileInPlace(sorted, 0.025);
  const double high = QuantileInPlace(sorted, 0.975);
  const double width = high - low;
  if (width <= 0) return;  // mostly constant: the rest is the signal
  for (double& value : series.values) {
    value = std::clamp(value, low - width, high + width);
  }
}

// Interpolates between the neighbours of a gap; repeats them at the ends.
void Bridge(PreparedSeries& series) {
  const size_t n = series.size();
  size_t last = n;  // the measured value before the gap; n: none
  for (size_t i = 0; i < n; ++i) {
    if (series.missing[i]) continue;
    size_t from = last == n ? 0 : last + 1;
    double before = last == n ? series.values[i] : series.values[last];
    double span = static_cast<double>(i) - static_cast<double>(from) + 1;
    for (size_t k = from; k < i; ++k) {
      double share = static_cast<double>(k - from + 1) / span;
      series.values[k] = before + share * (series.values[i] - before);
    }
    last = i;
  }
  if (last == n) return;
  for (size_t k = last + 1; k < n; ++k) series.values[k] = series.values[last];
}

// Least squares; robust because outliers were clipped before.
void SubtractLine(PreparedSeries& series) {
  double count = 0, sum_t = 0, sum_y = 0;
  const size_t n = series.size();
  for (size_t i = 0; i < n; ++i) {
    if (series.missing[i]) continue;
    count += 1;
    sum_t += static_cast<double>(i);
    sum_y += series.values[i];
  }
  if (count == 0) return;
  const double mean_t = sum_t / count, mean_y = sum_y / count;
  double tt = 0, ty = 0;
  for (size_t i = 0; i < n; ++i) {
    if (series.missing[i]) continue;
    double t = static_cast<double>(i) - mean_t;
    tt += t * t;
    ty += t * (series.values[i] - mean_y);
  }
  const double slope = tt > 0 ? ty / tt : 0;
  series.rise = slope * static_cast<double>(n);
  for (size_t i = 0; i < n; ++i) {
    series.values[i] -= mean_y + slope * (static_cast<double>(i) - mean_t);
  }
}

}  // namespace

PreparedSeries Prepare(std::span<const double> series) {
  PreparedSeries prepared;
  prepared.values.assign(series.begin(), series.end());
  prepared.missing.assign(series.size(), 0);
  for (size_t i = 0; i < series.size(); ++i) {
    if (std::isfinite(series[i])) {
      ++prepared.measured;
    } else {
      prepared.missing[i] = 1;
      prepared.values[i] = 0;
    }
  }
  Clip(prepared);
  Bridge(prepared);
  SubtractLine(prepared);
  return prepared;
}

PreparedSeries Average(const PreparedSeries& series, double width) {
  PreparedSeries averaged;
  const auto count =
      static_cast<size_t>(static_cast<double>(series.size()) / width + 1e-9);
  averaged.values.reserve(count);
  averaged.missing.reserve(count);
  const bool complete = series.measured == series.size();
  size_t begin = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto end = std::min(
        series.size(),
        static_cast<size_t>(std::lround(static_cast<double>(i + 1) * width)));
    double all = 0;
    for (size_t k = begin; k < end; ++k) all += series.values[k];
    double sum = all;
    const size_t length = end - begin;
    size_t present = length;
    for (size_t k = begin; !complete && k < end; ++k) {
      if (!series.missing[k]) continue;
      sum -= series.values[k];
      --present;
    }
    const bool enough = 2 * present >= length;
    averaged.values.push_back(enough ? sum / static_cast<double>(present)
                                     : all / static_cast<double>(length));
    averaged.missing.push_back(enough ? 0 : 1);
    if (enough) ++averaged.measured;
    begin = end;
  }
  return averaged;
}

}  // namespace mete
