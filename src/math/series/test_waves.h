// Series with known properties, for the tests of this folder.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "support/random.h"

namespace mete {

inline std::vector<double> SeriesFrom(
    size_t n, const std::function<double(double)>& value) {
  std::vector<double> series;
  for (size_t t = 0; t < n; ++t)
    series.push_back(value(static_cast<double>(t)));
  return series;
}

inline double SineAt(double t, double period) {
  return std::sin(2 * std::numbers::pi * t / period);
}

inline std::vector<double> NoisySine(size_t n, double period, double noise,
                                     uint64_t seed = 7) {
  Random random(seed);
  return SeriesFrom(
      n, [&](double t) { return SineAt(t, period) + noise * random.Normal(); });
}

// Height 1 for the first `width` samples of every period.
inline std::vector<double> PulseTrain(size_t n, double period, double width) {
  return SeriesFrom(
      n, [=](double t) { return std::fmod(t, period) < width ? 1.0 : 0.0; });
}

}  // namespace mete
