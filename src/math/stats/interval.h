// Distribution-free confidence intervals for quantiles.
#pragma once

#include <optional>
#include <span>

#include "stats/autocorrelation.h"

namespace mete {

struct Interval {
  double low = 0;
  double high = 0;
};

// Which quantile, how sure, and how dependent the sample is.
struct IntervalRequest {
  double p = 0.5;
  double confidence = 0.95;
  // Of the indicator series 1{x <= quantile}; independent by default.
  std::optional<AutocorrelationTime> dependence;
};

// Contains the p-quantile of the distribution that the ascending sample was
// drawn from with the asked confidence, whatever that distribution is. Absent
// when the sample is too small: 6 independent values are the least for a
// median at 95 %, 368 for p99.
std::optional<Interval> QuantileInterval(std::span<const double> sorted,
                                         const IntervalRequest& request);

// The two steps for a series in the order of its making: the dependence of the
// indicator at the sample quantile, then the interval. `sorted` holds the same
// values.
struct SeriesInterval {
  std::optional<Interval> interval;
  double tau = 1;
};
SeriesInterval IntervalOfSeries(std::span<const double> series,
                                std::span<const double> sorted, double p,
                                double confidence = 0.95);

}  // namespace mete
