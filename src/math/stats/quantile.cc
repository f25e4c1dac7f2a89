#include "stats/quantile.h"

#include <algorithm>
#include <cmath>

#include "support/check.h"

namespace mete {

std::vector<double> Sorted(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::optional<double> QuantileOfSorted(std::span<const double> sorted,
                                       double p) {
  CHECK(p >= 0 && p <= 1) << "quantile " << p;
  if (sorted.empty()) return std::nullopt;
  double n = static_cast<double>(sorted.size());
  return AtRank(sorted, std::clamp((n + 1.0 / 3) * p + 1.0 / 3, 1.0, n));
}

double AtRank(std::span<const double> sorted, double rank) {
  double n = static_cast<double>(sorted.size());
  CHECK(rank >= 1 && rank <= n) << "rank " << rank << " of " << n;
  auto below = static_cast<size_t>(std::floor(rank));
  double weight = rank - static_cast<double>(below);
  double low = sorted[below - 1];
  if (weight == 0) return low;
  return low + weight * (sorted[below] - low);
}

std::optional<double> Quantile(std::span<const double> values, double p) {
  return QuantileOfSorted(Sorted(values), p);
}

}  // namespace mete
