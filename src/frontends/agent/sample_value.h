// Quantities as the numbers that a page of metrics shows: in base units.
#pragma once

#include <chrono>
#include <cstdint>

#include "support/units.h"

namespace mete {

inline double ToSampleValue(double value) { return value; }
inline double ToSampleValue(uint64_t count) {
  return static_cast<double>(count);
}
inline double ToSampleValue(Bytes bytes) { return ToSampleValue(bytes.count); }
inline double ToSampleValue(Watts power) { return power.count; }
inline double ToSampleValue(std::chrono::nanoseconds time) {
  return Seconds(time).count();
}

}  // namespace mete
