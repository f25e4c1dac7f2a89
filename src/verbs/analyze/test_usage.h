// Series of usage for the tests of this folder.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "analyze/analyze_series.h"

namespace mete {

inline constexpr double kTestStart = 1.7e9;

// `count` values of `value(t)`, `step` seconds apart; t in seconds from 0.
inline TimeSeries TestUsage(size_t count, double step,
                            const std::function<double(double)>& value) {
  TimeSeries series;
  for (size_t i = 0; i < count; ++i) {
    const double t = step * static_cast<double>(i);
    series.times.push_back(kTestStart + t);
    series.values.push_back(value(t));
  }
  return series;
}

inline double TestWave(double t, double period) {
  return std::sin(2 * std::numbers::pi * t / period);
}

}  // namespace mete
