#include "series/period_candidates.h"

#include <algorithm>
#include <array>
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

namespace {

// Highest maxima of the power times frequency to the power of 0, 1 and 2. Each
// weight has its own kind of noise in which a period stands out: white noise, a
// random walk, and one between.
std::array<std::vector<Peak>, 3> SpectralPeaks(const Spectrum& spectrum,
                                               double longest) {
  std::array<std::vector<Peak>, 3> peaks;
  const std::vector<double>& power = spectrum.power;
  const double padded = static_cast<double>(spectrum.padded);
  const auto lowest =
      std::max<size_t>(1, static_cast<size_t>(padded / longest));
  const size_t highest =
      std::min(static_cast<size_t>(padded / 4) + 1, power.size() - 2);
  for (size_t k = lowest; k <= highest; ++k) {
    const double f = static_cast<double>(k);
    double before = power[k - 1], here = power[k], after = power[k + 1];
    for (std::vector<Peak>& list : peaks) {
      if (here >= before && here > after) {
        Keep(list, {here, f + Vertex(before, here, after)});
      }
      before *= f - 1;
      here *= f;
      after *= f + 1;
    }
  }
  return peaks;
}

// Highest maxima of the autocorrelation, which shows the fundamental of a pulse
// train. Of a long series, its means are enough: short periods are exact in the
// spectrum.
std::vector<Peak> CorrelationPeaks(const PreparedSeries& series,
                                   const Spectrum& spectrum, double longest) {
  constexpr double kMostCorrelated = 1024;
  const double width =
      std::max(1.0, static_cast<double>(series.size()) / kMostCorrelated);
  const std::vector<double> correlation = Autocorrelation(
      width > 1 ? PowerSpectrum(Average(series, width).values) : spectrum);
  std::vector<Peak> peaks;
  const auto last = static_cast<size_t>(longest / width);
  for (size_t lag = 4; lag <= last && lag + 1 < correlation.size(); ++lag) {
    const double before = correlation[lag - 1], after = correlation[lag + 1];
    const double here = correlation[lag];
    if (here > 0.1 && here >= before && here > after) {
      Keep(peaks,
           {here, width * (static_cast<double>(lag) +
                           (width > 1 ? Vertex(before, here, after) : 0))});
    }
  }
  return peaks;
}

// 2 |Y|^2 / (n sum of squares) is the share of a sine in the variance.
double ShareOf(const Spectrum& spectrum, double period, double scale) {
  double share = 0;
  const double first = static_cast<double>(spectrum.padded) / period;
  for (int k = 1; k <= 8; ++k) {
    const auto at = static_cast<size_t>(std::lround(k * first));
    if (at + 1 >= spectrum.power.size()) break;
    share += std::max(
        {spectrum.power[at - 1], spectrum.power[at], spectrum.power[at + 1]});
  }
  return scale * share;
}

}  // namespace

std::vector<PeriodCandidate> PeriodCandidates(const PreparedSeries& series) {
  const Spectrum spectrum = PowerSpectrum(series.values);
  const double n = static_cast<double>(series.size());
  const double longest = 0.52 * n;
  double squares = 0;
  for (double value : series.values) squares += value * value;
  std::vector<PeriodCandidate> candidates;
  if (squares <= 0) return candidates;
  // Periods that differ by fewer cycles over the series are the same.
  auto add = [&](double period, double apart) {
    period = std::clamp(period, 4.0, longest);
    for (const PeriodCandidate& other : candidates) {
      if (std::abs(n / period - n / other.period) < apart) return;
    }
    candidates.push_back({period, ShareOf(spectrum, period, 2 / n / squares)});
  };
  for (const auto& peaks : SpectralPeaks(spectrum, longest)) {
    for (const Peak& peak : peaks) {
      add(static_cast<double>(spectrum.padded) / peak.place, 1.0 / 6);
    }
  }
  for (const Peak& peak : CorrelationPeaks(series, spectrum, longest)) {
    add(peak.place, 1.0 / 20);
  }
  return candidates;
}

}  // namespace mete
