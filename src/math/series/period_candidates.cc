#include "series/period_candidates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "series/spectrum.h"

namespace mete {
namespace {

constexpr size_t kPerWeight = 3;

struct Peak {
  double height = 0;
  double place = 0;
};

// Keeps the highest few.
void Keep(std::vector<Peak>& peaks, Peak peak) {
  if (peaks.size() == kPerWeight && peak.height <= peaks.back().height) return;
  if (peaks.size() == kPerWeight) peaks.pop_back();
  auto at = std::ranges::find_if(
      peaks, [&](const Peak& other) { return other.height < peak.height; });
  peaks.insert(at, peak);
}

// The place of the maximum of the parabola through three neighbours.
double Vertex(double before, double here, double after) {
  const double curvature = before + after - 2 * here;
  if (curvature >= 0) return 0;
  return std::clamp((before - after) / 2 / curvature, -0.5, 0.5);
}

}  // namespace

std::vector<double> PeriodCandidates(const PreparedSeries& series) {
  const Spectrum spectrum = PowerSpectrum(series.values);
  const double n = static_cast<double>(series.size());
  const double padded = static_cast<double>(spectrum.padded);
  const double longest = 0.52 * n;
  std::vector<double> candidates;
  // Periods that differ by fewer cycles over the series are the same.
  auto add = [&](double period, double apart) {
    period = std::clamp(period, 4.0, longest);
    for (double other : candidates) {
      if (std::abs(n / period - n / other) < apart) return;
    }
    candidates.push_back(period);
  };
  // Each weight has its own kind of noise in which the maximum stands out:
  // white, between, and a random walk.
  const auto lowest = static_cast<size_t>(padded / longest);
  const auto highest = static_cast<size_t>(padded / 4) + 1;
  const std::vector<double>& power = spectrum.power;
  for (int weight = 0; weight <= 2; ++weight) {
    std::vector<Peak> peaks;
    auto at = [&](size_t k) {
      double value = power[k];
      for (int i = 0; i < weight; ++i) value *= static_cast<double>(k);
      return value;
    };
    double before = at(lowest - 1), here = at(lowest);
    for (size_t k = lowest; k <= highest && k + 1 < power.size(); ++k) {
      const double after = at(k + 1);
      if (here >= before && here > after) {
        Keep(peaks, {here, static_cast<double>(k) +
                               Vertex(before, here, after)});
      }
      before = here;
      here = after;
    }
    for (const Peak& peak : peaks) add(padded / peak.place, 1.0 / 6);
  }
  const std::vector<double> correlation = Autocorrelation(spectrum);
  std::vector<Peak> peaks;
  const auto last = static_cast<size_t>(longest);
  for (size_t lag = 4; lag <= last && lag + 1 < correlation.size(); ++lag) {
    const double here = correlation[lag];
    if (here > 0.1 && here >= correlation[lag - 1] &&
        here > correlation[lag + 1]) {
      Keep(peaks, {here, static_cast<double>(lag)});
    }
  }
  for (const Peak& peak : peaks) add(peak.place, 1.0 / 20);
  return candidates;
}

}  // namespace mete
