// The mean of a long series with its confidence interval, from batches of
// consecutive values.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/interval.h"

namespace mete {

// Consecutive values of a series, taken together.
struct ValueBatch {
  double sum = 0;
  double count = 0;
};

// A mean and its 95 % interval; absent when there are too few values.
struct MeanEstimate {
  double mean = 0;
  std::optional<Interval> interval;
};

// The mean of all values, by the method of batch means. It needs no assumption
// about the values: most may be short and a few very long, as under a CPU
// quota, as long as every batch contains its share of both. Neighbouring
// batches are merged into at most 20, because longer batches depend less on
// each other; what dependence is left widens the interval. Absent without
// values. The interval requires 6 batches.
std::optional<MeanEstimate> EstimateMean(std::span<const ValueBatch> batches);

// The mean of independent values with its interval by Student's t, which
// requires two values. Absent without values.
std::optional<MeanEstimate> EstimateMeanOfRuns(std::span<const double> values);

}  // namespace mete
