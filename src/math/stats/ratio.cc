#include "stats/ratio.h"

#include <cmath>
#include <vector>

#include "stats/quantile.h"
#include "support/check.h"

namespace mete {
namespace {

bool IsPositive(const MedianEstimate& estimate) {
  return estimate.median > 0 &&
         (!estimate.interval || estimate.interval->low > 0);
}

}  // namespace

std::optional<MedianEstimate> EstimateMedian(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted = Sorted(values);
  return MedianEstimate{.median = *QuantileOfSorted(sorted, 0.5),
                        .interval = QuantileInterval(sorted, {})};
}

// The method of variance estimates recovery (MOVER): Zou and Donner,
// "Construction of confidence limits about effect measures: a general
// approach", Statistics in Medicine 27 (2008) 1693-1702, equation 6. The
// interval of a difference follows from those of its terms,
//   L = b - a - sqrt((b - l_b)^2 + (u_a - a)^2)
//   U = b - a + sqrt((u_b - b)^2 + (a - l_a)^2)
// here of the logarithms of both medians. It needs no variance, so it keeps the
// asymmetry of order-statistic intervals and their correction for dependence.
std::optional<RatioEstimate> RatioOfMedians(const MedianEstimate& first,
                                            const MedianEstimate& second) {
  if (!IsPositive(first) || !IsPositive(second)) return std::nullopt;
  const double ratio = second.median / first.median;
  if (!first.interval || !second.interval) return RatioEstimate{ratio, {}};
  auto log_ratio = [](double of, double to) { return std::log(of / to); };
  double down = std::hypot(log_ratio(second.median, second.interval->low),
                           log_ratio(first.interval->high, first.median));
  double up = std::hypot(log_ratio(second.interval->high, second.median),
                         log_ratio(first.median, first.interval->low));
  return RatioEstimate{ratio, Interval{.low = ratio * std::exp(-down),
                                       .high = ratio * std::exp(up)}};
}

std::optional<RatioEstimate> MedianOfRatios(std::span<const double> first,
                                            std::span<const double> second) {
  CHECK(first.size() == second.size())
      << first.size() << " and " << second.size() << " values";
  std::vector<double> ratios;
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i] <= 0 || second[i] <= 0) return std::nullopt;
    ratios.push_back(second[i] / first[i]);
  }
  std::optional<MedianEstimate> found = EstimateMedian(ratios);
  if (!found) return std::nullopt;
  return RatioEstimate{found->median, found->interval};
}

}  // namespace mete
