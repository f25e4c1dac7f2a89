// How many times as large one quantity is as another, with a confidence
// interval that does not depend on the distributions.
#pragma once

#include <optional>
#include <span>

#include "stats/interval.h"

namespace mete {

// A median and its interval; absent when there are too few values.
struct MedianEstimate {
  double median = 0;
  std::optional<Interval> interval;
};

// A ratio and its interval; absent when there are too few values.
struct RatioEstimate {
  double ratio = 1;
  std::optional<Interval> interval;
};

// The median of independent values and its 95 % interval. Absent when there
// are none.
std::optional<MedianEstimate> EstimateMedian(std::span<const double> values);

// second / first, for medians that were measured independently of each other.
// Both intervals must have the same confidence, which the ratio then has, too.
// Absent when a median or the end of an interval is not positive.
std::optional<RatioEstimate> RatioOfMedians(const MedianEstimate& first,
                                            const MedianEstimate& second);

// The median of second[i] / first[i] with its 95 % interval, for values that
// were measured in pairs: what changes both values of a pair by the same factor
// cancels out. Absent without pairs and when a value is not positive. CHECKs
// that there are as many first as second values.
std::optional<RatioEstimate> MedianOfRatios(std::span<const double> first,
                                            std::span<const double> second);

}  // namespace mete
