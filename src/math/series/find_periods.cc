#include "series/find_periods.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "series/cycle_agreement.h"
#include "series/harmonic_regression.h"
#include "series/period_candidates.h"
#include "series/prepared_series.h"

namespace mete {
namespace {

constexpr size_t kFewestValues = 8;
constexpr int kMostHarmonics = 8;
constexpr double kSamplesPerPeriod = 32;
constexpr double kLeastStrength = 0.05;
constexpr double kLeastAgreement = 0.5;

// The series at several widths of averaging.
struct Views {
  const PreparedSeries& full;
};

size_t WidthFor(double period) {
  return std::max<size_t>(1, static_cast<size_t>(period / kSamplesPerPeriod));
}

int HarmonicsFor(double period) {
  return std::clamp(static_cast<int>(std::ceil(period / 2)) - 1, 1,
                    kMostHarmonics);
}

std::vector<int> Range(int count) {
  std::vector<int> range(count);
  std::iota(range.begin(), range.end(), 1);
  return range;
}

// How well one period explains the series.
struct Fit {
  double period = 0;
  double score = 0;
  double strength = 0;
  int harmonics = 1;
};

// Penalty for the number of hypotheses: which number of harmonics, which
// period.
double SearchPenalty(double n, double period) {
  return std::log(4.0) + std::log(n / period) +
         std::log(std::max(1.0, std::log(n / 2)));
}

Fit TestPeriod(const PreparedSeries& full, double period) {
  const size_t width = WidthFor(period);
  const PreparedSeries averaged =
      width > 1 ? Average(full, width) : PreparedSeries{};
  const PreparedSeries& series = width > 1 ? averaged : full;
  const double base = period / static_cast<double>(width);
  const std::vector<int> harmonics = Range(HarmonicsFor(base));
  HarmonicRegression regression(series,
                                {.period = base, .harmonics = harmonics});
  Fit fit{.period = period};
  const double rows = static_cast<double>(regression.rows());
  double best = 0;
  bool found = false;
  for (size_t lags = 1; lags <= kMostLags; ++lags) {
    const std::vector<double> left = regression.Residuals(lags);
    for (int h : {1, 2, 4, 8}) {
      if (h > static_cast<int>(harmonics.size())) break;
      const double used = 2 + static_cast<double>(lags) + 2.0 * h;
      if (rows - used < 4 || left[0] <= 0) break;
      const double floor = 1e-12 * left[0];
      const double criterion =
          rows * std::log(std::max(left[h], floor) / rows) +
          used * std::log(rows);
      if (found && criterion >= best) continue;
      best = criterion;
      found = true;
      fit.harmonics = h;
      fit.score = -LogTail(1 - left[h] / left[0], h, rows - used);
    }
  }
  if (!found) return fit;
  fit.score -= SearchPenalty(static_cast<double>(full.size()), period);
  const std::vector<double> plain = regression.Residuals(0);
  const double h = fit.harmonics;
  if (plain[0] > 0) {
    fit.strength = std::max(0.0, 1 - plain[fit.harmonics] / plain[0] *
                                         (rows - 2) / (rows - 2 - 2 * h));
  }
  return fit;
}

// The share that is left unexplained without lags: what refining minimizes.
double LeftOver(const PreparedSeries& series, double period, int harmonics) {
  const std::vector<int> orders = Range(harmonics);
  HarmonicRegression regression(series,
                                {.period = period, .harmonics = orders});
  return regression.Residuals(0).back();
}

double Refine(const PreparedSeries& full, double period, int harmonics) {
  const size_t width = WidthFor(period);
  const PreparedSeries averaged =
      width > 1 ? Average(full, width) : PreparedSeries{};
  const PreparedSeries& series = width > 1 ? averaged : full;
  const double scale = static_cast<double>(width);
  const double n = static_cast<double>(series.size());
  double frequency = scale / period;
  harmonics = std::min(harmonics, HarmonicsFor(period / scale * 0.9));
  double step = 0.25 / n;
  double here = LeftOver(series, 1 / frequency, harmonics);
  for (int round = 0; round < 8; ++round) {
    const double below = LeftOver(series, 1 / (frequency - step), harmonics);
    const double above = LeftOver(series, 1 / (frequency + step), harmonics);
    if (below < here && below <= above) {
      frequency -= step;
      here = below;
    } else if (above < here) {
      frequency += step;
      here = above;
    } else {
      const double curvature = below + above - 2 * here;
      if (curvature > 0) {
        const double moved = frequency + step * (below - above) / 2 / curvature;
        const double there = LeftOver(series, 1 / moved, harmonics);
        if (there < here) {
          frequency = moved;
          here = there;
        }
      }
      step /= 4;
      if (step < 1e-3 / n) break;
    }
  }
  return scale / frequency;
}

// Score of the harmonics of `period` that are not multiples of `factor`, given
// those that are: is the true period `period`, and not `period` / factor?
double ScoreBeyond(const PreparedSeries& full, double period, int factor,
                   int harmonics) {
  const double shorter = period / factor;
  const size_t width = WidthFor(shorter);
  const PreparedSeries averaged =
      width > 1 ? Average(full, width) : PreparedSeries{};
  const PreparedSeries& series = width > 1 ? averaged : full;
  const double base = period / static_cast<double>(width);
  std::vector<int> orders;
  for (int k = 1; k <= HarmonicsFor(base / factor); ++k) {
    orders.push_back(k * factor);
  }
  const size_t nested = orders.size();
  for (int k = 1; k <= std::min(harmonics, HarmonicsFor(base)); ++k) {
    if (k % factor != 0) orders.push_back(k);
  }
  const size_t extra = orders.size() - nested;
  if (extra == 0) return 0;
  HarmonicRegression regression(series, {.period = base, .harmonics = orders});
  const double rows = static_cast<double>(regression.rows());
  double best = 0, score = 0;
  bool found = false;
  for (size_t lags = 1; lags <= kMostLags; ++lags) {
    const std::vector<double> left = regression.Residuals(lags);
    for (size_t more = 1; more <= extra; ++more) {
      const double used = 2 + static_cast<double>(lags) +
                          2 * static_cast<double>(nested + more);
      if (rows - used < 4 || left[nested] <= 0) break;
      const double criterion =
          rows * std::log(std::max(left[nested + more], 1e-12 * left[0]) /
                          rows) +
          used * std::log(rows);
      if (found && criterion >= best) continue;
      best = criterion;
      found = true;
      score = -LogTail(1 - left[nested + more] / left[nested], more,
                       rows - used);
    }
  }
  return found ? score - SearchPenalty(static_cast<double>(full.size()), period)
               : 0;
}

}  // namespace

std::vector<Period> FindPeriods(std::span<const double> values,
                                size_t at_most) {
  std::vector<Period> periods;
  if (values.size() < kFewestValues) return periods;
  PreparedSeries series = Prepare(values);
  const double n = static_cast<double>(series.size());
  if (series.measured < kFewestValues) return periods;
  const double longest = n / 2 * 1.02;

  std::vector<Fit> fits;
  for (double candidate : PeriodCandidates(series)) {
    Fit fit = TestPeriod(series, candidate);
    if (n / candidate < 12) {
      const double refined =
          std::clamp(Refine(series, candidate, fit.harmonics), kShortestPeriod,
                     longest);
      Fit better = TestPeriod(series, refined);
      if (better.score > fit.score) fit = better;
    }
    if (fit.score >= kLeastScore && fit.strength >= kLeastStrength) {
      fits.push_back(fit);
    }
  }
  std::ranges::sort(fits, std::greater{}, &Fit::strength);
  for (const Fit& fit : fits) {
    double period = Refine(series, fit.period, fit.harmonics);
    // The fundamental may be a fraction of the candidate …
    for (int factor = 8; factor >= 2; --factor) {
      if (period / factor < kShortestPeriod * 0.98) continue;
      if (ScoreBeyond(series, period, factor, kMostHarmonics) < kLeastScore) {
        Fit shorter = TestPeriod(series, period / factor);
        if (shorter.score < kLeastScore) continue;
        period /= factor;
        break;
      }
    }
    // … or a multiple.
    for (int factor = 2; factor <= 8 && period * factor <= longest; ++factor) {
      if (ScoreBeyond(series, period * factor, factor, kMostHarmonics) >=
          kLeastScore) {
        period *= factor;
        factor = 1;
      }
    }
    Fit last = TestPeriod(series, period);
    period = Refine(series, period, last.harmonics);
    last = TestPeriod(series, period);
    if (period < kShortestPeriod * 0.98 || period > longest) continue;
    if (last.score < kLeastScore) continue;
    const double agreement = CycleAgreement(series, period);
    if (agreement < kLeastAgreement) continue;
    Period result{.length = period,
                  .cycles = n / period,
                  .score = last.score,
                  .strength = last.strength,
                  .agreement = agreement};
    result.tentative = result.cycles < kSureCycles * 0.98;
    periods.push_back(result);
    break;
  }
  (void)at_most;
  return periods;
}

}  // namespace mete
