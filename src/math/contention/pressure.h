// Pressures: how co-located services add up. For placement: sums of vectors and
// linear rows, without a predictor and without a network.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace mete {

// At most so many pressures; a predictor may use fewer.
inline constexpr size_t kMostPressures = 4;

// What one instance of an application adds to its device, or the sum over all
// instances there. Entries are not negative; unused ones are 0.
struct PressureVector {
  std::array<double, kMostPressures> parts{};

  PressureVector& Add(const PressureVector& other, double times = 1) {
    for (size_t k = 0; k < kMostPressures; ++k) {
      parts[k] += times * other.parts[k];
    }
    return *this;
  }
  bool operator==(const PressureVector&) const = default;
};

inline double Dot(const PressureVector& a, const PressureVector& b) {
  double sum = 0;
  for (size_t k = 0; k < kMostPressures; ++k) sum += a.parts[k] * b.parts[k];
  return sum;
}

// Dot(weights, p) <= bound. No weight is negative, so a content that meets the
// row meets it with fewer instances, too.
struct RegionRow {
  PressureVector weights;
  double bound = 0;
};

// The sums p of pressures under which an objective is met: all rows hold. No
// rows: it is always met. An objective that cannot be met on an empty device
// has a row with a negative bound.
struct PressureRegion {
  std::vector<RegionRow> rows;

  bool Contains(const PressureVector& p) const {
    for (const RegionRow& row : rows) {
      if (Dot(row.weights, p) > row.bound) return false;
    }
    return true;
  }
};

}  // namespace mete
