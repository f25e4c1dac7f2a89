#include "series/period_fit.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "series/fourier_sums.h"
#include "series/harmonic_regression.h"

namespace mete {
namespace {

constexpr double kSamplesPerPeriod = 32;
constexpr double kFewestFree = 4;  // degrees of freedom that must remain
constexpr std::array<int, kMostHarmonics> kOrders = {1, 2, 3, 4, 5, 6, 7, 8};

// A series averaged for a period, without a copy when there is nothing to do.
class AveragedFor {
 public:
  AveragedFor(const PreparedSeries& series, double period)
      : width_(AveragingWidth(period)), series_(&series) {
    if (width_ == 1) return;
    averaged_ = Average(series, width_);
    series_ = &averaged_;
  }
  const PreparedSeries& series() const { return *series_; }
  double width() const { return width_; }

 private:
  double width_;
  PreparedSeries averaged_;
  const PreparedSeries* series_;
};

int HarmonicsBelow(double period) {
  return std::clamp(static_cast<int>(std::ceil(period / 2)) - 1, 1,
                    kMostHarmonics);
}

// The number of hypotheses: how many harmonics, which of the n / P frequencies
// at this scale, which scale.
double LogHypotheses(double n, double period) {
  return std::log(4.0) + std::log(n / period) +
         std::log(std::max(1.0, std::log(n / 2)));
}

// Every series has at least this share of its variance as noise; without it,
// the rounding of a computed series would be significant.
constexpr double kLeastNoise = 1e-6;
// Two past values predict a sine without noise, so that its period could add
// nothing. Where more past values leave less than this share of what one
// leaves, the series is such a wave, and one must do.
constexpr double kPredictable = 1e-3;

// Searches the numbers of lags and harmonics for the best fit by Schwarz's
// criterion. Its own past explains a clean sine completely, so the past must
// compete with the harmonics instead of coming first.
struct Choice {
  double criterion = 0;
  double log_tail = 0;
  size_t harmonics = 0;
};
void Consider(const HarmonicRegression& regression, size_t nested,
              size_t harmonics, std::optional<Choice>& best) {
  const double rows = static_cast<double>(regression.rows());
  const double noise = kLeastNoise * regression.Left(0, 0);
  if (noise <= 0) return;
  for (size_t lags = 1; lags <= kMostLags; ++lags) {
    const double used =
        2 + static_cast<double>(lags) + 2 * static_cast<double>(harmonics);
    if (rows - used < kFewestFree) return;
    if (regression.Left(0, lags) < kPredictable * regression.Left(0, 1)) return;
    const double before = regression.Left(nested, lags) + noise;
    const double left = regression.Left(harmonics, lags) + noise;
    const double criterion =
        rows * std::log(left / rows) + used * std::log(rows);
    if (best && criterion >= best->criterion) continue;
    best = {
        .criterion = criterion,
        .log_tail = LogTail(1 - left / before, harmonics - nested, rows - used),
        .harmonics = harmonics};
  }
}

double UnexplainedBy(const PreparedSeries& series, double period,
                     int harmonics) {
  return LeftByHarmonics(
      series,
      {.period = period,
       .harmonics = std::span(kOrders).first(static_cast<size_t>(harmonics))});
}

// With many cycles: the phase of each harmonic in the second half of the series
// relative to the first shows how far off the frequency is.
constexpr double kEnoughForPhase = 12;
double RefineByPhase(const PreparedSeries& series, double period,
                     int harmonics) {
  const auto orders = std::span(kOrders).first(static_cast<size_t>(harmonics));
  // Halves of whole cycles, so that harmonics do not leak into each other.
  const double half =
      std::floor(static_cast<double>(series.size()) / 2 / period) * period;
  const auto length = static_cast<size_t>(std::lround(half));
  const std::span<const double> y(series.values);
  double frequency = Frequency(period);
  for (int round = 0; round < 2; ++round) {
    const auto first = FourierSums(y.first(length), orders, frequency);
    const auto second =
        FourierSums(y.subspan(length, length), orders, frequency);
    double turn = 0, weight = 0;
    for (size_t i = 0; i < orders.size(); ++i) {
      const double k = orders[i];
      const std::complex<double> start =
          std::polar(1.0, k * frequency * static_cast<double>(length));
      const std::complex<double> product =
          std::conj(second[i] * start) * first[i];
      turn += k * std::abs(product) * std::arg(product);
      weight += k * k * std::abs(product);
    }
    if (weight <= 0) break;
    // The sums turn with +w, so a series that is faster turns them back.
    frequency += turn / weight / static_cast<double>(length);
  }
  return 2 * std::numbers::pi / frequency;
}

// With few cycles: least squares, starting near the maximum of the spectrum.
double RefineBySearch(const PreparedSeries& series, double period,
                      int harmonics) {
  auto left = [&](double frequency) {
    return UnexplainedBy(series, 1 / frequency, harmonics);
  };
  double frequency = 1 / period;
  // A fraction of the resolution at the highest harmonic, then a quarter of
  // that; the parabola through three points is exact enough below.
  double step = 0.5 / harmonics / static_cast<double>(series.size());
  step = std::min(step, 0.25 / static_cast<double>(series.size()));
  double here = left(frequency);
  for (int round = 0; round < 2; ++round, step /= 4) {
    double below = left(frequency - step), above = left(frequency + step);
    for (int moves = 0; moves < 12 && std::min(below, above) < here; ++moves) {
      if (above < below) {
        frequency += step;
        below = here;
        here = above;
        above = left(frequency + step);
      } else {
        frequency -= step;
        above = here;
        here = below;
        below = left(frequency - step);
      }
    }
    const double curvature = below + above - 2 * here;
    if (curvature <= 0) continue;
    const double moved = frequency + (below - above) / curvature * step / 2;
    const double there = left(moved);
    if (there < here) {
      frequency = moved;
      here = there;
    }
  }
  return 1 / frequency;
}

}  // namespace

double AveragingWidth(double period) {
  return period < 2 * kSamplesPerPeriod ? 1 : period / kSamplesPerPeriod;
}

PeriodFit FitPeriod(const PreparedSeries& full, double period) {
  const AveragedFor averaged(full, period);
  const double base = period / averaged.width();
  const auto most = static_cast<size_t>(HarmonicsBelow(base));
  const HarmonicRegression regression(
      averaged.series(),
      {.period = base, .harmonics = std::span(kOrders).first(most)});
  PeriodFit fit{.period = period};
  std::optional<Choice> best;
  for (size_t h : {1, 2, 4, 8}) {
    if (h <= most) Consider(regression, 0, h, best);
  }
  const double rows = static_cast<double>(regression.rows());
  const double total = regression.Left(0, 0);
  if (!best || total <= 0) return fit;
  fit.harmonics = static_cast<int>(best->harmonics);
  fit.score =
      -best->log_tail - LogHypotheses(static_cast<double>(full.size()), period);
  const double left = regression.Left(best->harmonics, 0) / total;
  fit.strength = std::max(
      0.0, 1 - left * (rows - 2) /
                   (rows - 2 - 2 * static_cast<double>(best->harmonics)));
  const double explained = total - regression.Left(most, 0);
  for (size_t h = 1; h <= most && explained > 0; ++h) {
    fit.share[h] =
        (regression.Left(h - 1, 0) - regression.Left(h, 0)) / explained;
  }
  return fit;
}

double RefinePeriod(const PreparedSeries& full, double period, int harmonics) {
  const AveragedFor averaged(full, period);
  const double base = period / averaged.width();
  harmonics = std::min(harmonics, HarmonicsBelow(0.9 * base));
  const double cycles = static_cast<double>(averaged.series().size()) / base;
  return averaged.width() *
         (cycles >= kEnoughForPhase
              ? RefineByPhase(averaged.series(), base, harmonics)
              : RefineBySearch(averaged.series(), base, harmonics));
}

FitBeyond FitBeyondFactor(const PreparedSeries& full, double period,
                          int factor) {
  const AveragedFor averaged(full, period / factor);
  const double base = period / averaged.width();
  std::vector<int> orders;
  for (int k = 1; k <= HarmonicsBelow(base / factor); ++k) {
    orders.push_back(k * factor);
  }
  const size_t nested = orders.size();
  for (int k = 1; k <= HarmonicsBelow(base); ++k) {
    if (k % factor != 0) orders.push_back(k);
  }
  if (orders.size() == nested) return {};
  const HarmonicRegression regression(averaged.series(),
                                      {.period = base, .harmonics = orders});
  std::optional<Choice> best;
  for (size_t h = nested + 1; h <= orders.size(); ++h) {
    Consider(regression, nested, h, best);
  }
  const double total = regression.Left(0, 0);
  if (!best || total <= 0) return {};
  return {.score = -best->log_tail -
                   LogHypotheses(static_cast<double>(full.size()), period),
          .strength = (regression.Left(nested, 0) -
                       regression.Left(best->harmonics, 0)) /
                      total};
}

}  // namespace mete
