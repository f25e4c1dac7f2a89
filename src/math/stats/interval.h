// Distribution-free confidence intervals for quantiles.
#pragma once

#include <optional>
#include <span>

#include "stats/autocorrelation.h"

namespace mete {

// A confidence interval.
struct Interval {
  double low = 0;
  double high = 0;
};

// Which quantile, the confidence, and the dependence of the sample.
struct IntervalRequest {
  double p = 0.5;
  double confidence = 0.95;
  // Of the indicator series 1{x <= quantile}; absent: independent.
  std::optional<AutocorrelationTime> dependence;
};

// Contains the p-quantile of the distribution from which the ascending sample
// was drawn with the requested confidence, whatever the distribution. Absent
// when the sample is too small: a median at 95 % requires at least 6
// independent values, p99 368.
std::optional<Interval> QuantileInterval(std::span<const double> sorted,
                                         const IntervalRequest& request);

// Each end of that interval on its own: a small sample may have only one.
struct QuantileBounds {
  std::optional<double> low;
  std::optional<double> high;
};
QuantileBounds BoundQuantile(std::span<const double> sorted,
                             const IntervalRequest& request);

// The interval for a series in its original order: estimates the dependence of
// the indicator at the sample quantile, then the interval. `sorted` contains
// the same values.
struct SeriesInterval {
  std::optional<Interval> interval;
  double tau = 1;
};
SeriesInterval IntervalOfSeries(std::span<const double> series,
                                std::span<const double> sorted, double p,
                                double confidence = 0.95);
// The same as BoundQuantile.
QuantileBounds BoundsOfSeries(std::span<const double> series,
                              std::span<const double> sorted, double p,
                              double confidence);

}  // namespace mete
