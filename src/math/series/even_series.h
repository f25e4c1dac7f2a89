// A series with equal distances between its values.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "support/result.h"

namespace mete {

// Values at start, start + step, …. NaN is a gap; the first and the last value
// are measured.
struct EvenSeries {
  double start = 0;
  double step = 1;
  std::vector<double> values;
};

// Most values of an even series.
inline constexpr size_t kMostEvenValues = 10'000'000;

// Puts measurements into slots of `step`; those in one slot are averaged. Times
// may be unordered and repeated; a value or time that is not finite does not
// count. A step of 0 means the median distance of different times. Empty
// without values. Fails with kInvalidInput if there would be too many slots.
Result<EvenSeries> MakeEven(std::span<const double> times,
                            std::span<const double> values, double step);

}  // namespace mete
