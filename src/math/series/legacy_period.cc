#include "series/legacy_period.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/quantile.h"

namespace mete {
namespace {

// Pearson's correlation; NaN if one side is constant.
double Correlation(std::span<const double> a, std::span<const double> b) {
  const double n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  double aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

}  // namespace

std::optional<double> FindLegacyPeriod(std::span<const double> series) {
  const size_t n = series.size();
  if (n < 6 || *std::ranges::max_element(series) <= 0) return std::nullopt;
  std::vector<double> r;
  for (size_t lag = 0; lag < n / 2; ++lag) {
    r.push_back(Correlation(series.subspan(lag), series.first(n - lag)));
  }
  double mean = 0, square = 0;
  for (double value : r) mean += value / static_cast<double>(r.size());
  for (double value : r) {
    square += (value - mean) * (value - mean) / static_cast<double>(r.size());
  }
  const double critical = mean + 1.959963984540054 * std::sqrt(square);
  std::vector<double> lags;
  for (size_t lag = 0; lag < r.size(); ++lag) {
    // False for NaN, as in the original.
    if (r[lag] > critical) lags.push_back(static_cast<double>(lag));
  }
  if (lags.size() <= 2) return std::nullopt;
  std::vector<double> distances;
  for (size_t i = 1; i < lags.size(); ++i) {
    distances.push_back(lags[i] - lags[i - 1]);
  }
  return Quantile(distances, 0.5);
}

}  // namespace mete
