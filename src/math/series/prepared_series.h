// A series made ready for regression: gaps are bridged but remembered, extreme
// outliers are clipped, and it can be averaged to fewer values.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mete {

// Values without gaps; those of `missing` are interpolated and must not count.
struct PreparedSeries {
  std::vector<double> values;
  std::vector<char> missing;  // 1: interpolated
  size_t measured = 0;        // how many are not missing
  double rise = 0;            // of the line that was subtracted, end to end

  size_t size() const { return values.size(); }
};

// Values that are not finite are gaps. Clips what lies further outside the
// middle 95 % of the values than the width of that range, so that a single
// outlier does not hide the rest, and subtracts a robust straight line.
PreparedSeries Prepare(std::span<const double> series);

// The means of `width` consecutive values each, where the width need not be
// whole: ends are rounded. A mean is missing if fewer than half of its values
// were measured. The rest at the end is left out.
PreparedSeries Average(const PreparedSeries& series, double width);

}  // namespace mete
