#include "bench/periods/synthetic.h"

#include <cmath>
#include <numbers>

namespace mete::bench {
namespace {

double Shape(Wave wave, double phase, double duty) {
  switch (wave) {
    case Wave::kSine:
      return std::sin(2 * std::numbers::pi * phase);
    case Wave::kSquare:
      return phase < 0.5 ? 1 : -1;
    case Wave::kSaw:
      return 2 * phase - 1;
    case Wave::kPulse:
      return phase < duty ? 1 : -1;
  }
  return 0;
}

}  // namespace

std::vector<double> MakeWave(const WaveRequest& request, Random& random) {
  std::vector<double> series(request.length);
  const double shift = random.Uniform();
  for (size_t t = 0; t < series.size(); ++t) {
    double phase = static_cast<double>(t) / request.period + shift;
    phase -= std::floor(phase);
    series[t] = Shape(request.wave, phase, request.duty) +
                request.noise * random.Normal();
  }
  return series;
}

std::vector<double> MakeAutoregressive(size_t length, double phi,
                                       Random& random) {
  std::vector<double> series(length);
  double value = random.Normal() / std::sqrt(1 - phi * phi);
  for (double& item : series) {
    item = value;
    value = phi * value + random.Normal();
  }
  return series;
}

std::vector<double> MakeRandomWalk(size_t length, Random& random) {
  std::vector<double> series(length);
  double value = 0;
  for (double& item : series) item = value += random.Normal();
  return series;
}

std::vector<double> MakeSteps(size_t length, Random& random) {
  std::vector<double> series(length);
  const double noise = 0.05 + 0.25 * random.Uniform();
  const double rate = (1 + 7 * random.Uniform()) / static_cast<double>(length);
  double level = random.Normal();
  for (double& item : series) {
    if (random.Uniform() < rate) level = random.Normal();
    item = level + noise * random.Normal();
  }
  return series;
}

std::vector<double> MakeBursts(size_t length, Random& random) {
  std::vector<double> series(length);
  const double noise = 0.05 + 0.25 * random.Uniform();
  const double n = static_cast<double>(length);
  const auto bursts = 2 + random.Below(7);
  for (uint64_t i = 0; i < bursts; ++i) {
    const auto start = random.Below(length);
    const auto end =
        start + 1 + static_cast<uint64_t>(n / 15 * random.Uniform());
    const double height = 1 + 2 * random.Uniform();
    for (uint64_t t = start; t < end && t < length; ++t) series[t] += height;
  }
  for (double& item : series) item += noise * random.Normal();
  return series;
}

}  // namespace mete::bench
