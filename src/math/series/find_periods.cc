#include "series/find_periods.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "series/cycle_agreement.h"
#include "series/period_candidates.h"
#include "series/period_fit.h"
#include "series/prepared_series.h"
#include "series/seasonal_profile.h"

namespace mete {
namespace {

constexpr size_t kFewestValues = 8;
// Weaker periods are of no use to anybody.
constexpr double kLeastStrength = 0.05;
constexpr double kLeastAgreement = 0.5;
// With fewer cycles a maximum of the spectrum is only a rough guess.
constexpr double kFewCycles = 12;
// A little beyond the ends, because the estimate may be.
constexpr double kTolerance = 1.02;

double Longest(const PreparedSeries& series) {
  return static_cast<double>(series.size()) / 2 * kTolerance;
}

bool Passes(const PeriodFit& fit) {
  return fit.score >= kLeastScore && fit.strength >= kLeastStrength;
}

// The candidates that pass, the strongest first.
std::vector<PeriodFit> FitCandidates(const PreparedSeries& series) {
  std::vector<PeriodFit> fits;
  for (double candidate : PeriodCandidates(series)) {
    PeriodFit fit = FitPeriod(series, candidate);
    if (static_cast<double>(series.size()) / candidate < kFewCycles) {
      const double refined = std::clamp(
          RefinePeriod(series, candidate, fit.harmonics), kShortestPeriod,
          Longest(series));
      const PeriodFit better = FitPeriod(series, refined);
      if (better.score > fit.score) fit = better;
    }
    if (Passes(fit)) fits.push_back(fit);
  }
  std::ranges::sort(fits, std::greater{}, &PeriodFit::strength);
  return fits;
}

// A wave with edges whose period is not whole does not look the same in each
// cycle: its higher harmonics are folded to frequencies between those of the
// period, where they look like harmonics of a multiple.
bool Aliases(const PreparedSeries& series, double period) {
  return AveragingWidth(period) == 1 &&
         std::abs(period - std::round(period)) *
                 static_cast<double>(series.size()) / period >=
             0.5;
}
// So with such a period a multiple counts only if it explains much more.
constexpr double kAliasShare = 0.6;

// The shortest period among `fit` and its fractions that explains the series as
// well.
PeriodFit Shortened(const PreparedSeries& series, const PeriodFit& fit) {
  for (int factor = kMostHarmonics; factor >= 2; --factor) {
    const double shorter = fit.period / factor;
    if (shorter * kTolerance < kShortestPeriod) continue;
    double share = 0;
    for (int k = factor; k <= kMostHarmonics; k += factor) {
      share += fit.share[static_cast<size_t>(k)];
    }
    const bool aliases = Aliases(series, shorter);
    if (share < (aliases ? kAliasShare : 0.8)) continue;
    const PeriodFit candidate = FitPeriod(series, shorter);
    if (!Passes(candidate)) continue;
    if ((aliases && candidate.strength >= kAliasShare * fit.strength) ||
        FitBeyondFactor(series, fit.period, factor).score < kLeastScore) {
      return candidate;
    }
  }
  return fit;
}

// The multiple of a period with which the rest of the series repeats: weeks,
// if Sundays differ from Mondays. `rest` is the series without the period.
std::optional<PeriodFit> Multiple(const PreparedSeries& series,
                                  const PreparedSeries& rest,
                                  const PeriodFit& fit) {
  std::optional<PeriodFit> best;
  if (Aliases(series, fit.period) && fit.strength >= kAliasShare) return best;
  for (int factor = 2; factor <= kMostHarmonics; ++factor) {
    const double longer = fit.period * factor;
    if (longer > Longest(series)) break;
    const FitBeyond beyond = FitBeyondFactor(series, longer, factor);
    if (beyond.score < kLeastScore || beyond.strength < kLeastStrength ||
        (best && beyond.score <= best->score)) {
      continue;
    }
    if (Aliases(series, fit.period) &&
        fit.strength >= kAliasShare * FitPeriod(series, longer).strength) {
      continue;
    }
    if (CycleAgreement(rest, longer) < kLeastAgreement) continue;
    best = {.period = longer,
            .score = beyond.score,
            .strength = std::min(1.0, fit.strength + beyond.strength),
            .harmonics = kMostHarmonics};
  }
  return best;
}

Period MakePeriod(const PreparedSeries& series, const PeriodFit& fit,
                  double agreement) {
  Period period{.length = fit.period,
                .cycles = static_cast<double>(series.size()) / fit.period,
                .score = fit.score,
                .strength = fit.strength,
                .agreement = agreement};
  period.tentative = period.cycles * kTolerance < kSureCycles;
  period.confidence = (1 - std::exp(-period.score / 10)) *
                      std::clamp(agreement, 0.0, 1.0) *
                      std::min(1.0, period.cycles * kTolerance / kSureCycles);
  return period;
}

// True if the period is a harmonic or a multiple of one that is known.
bool Related(double period, const std::vector<Period>& known) {
  return std::ranges::any_of(known, [&](const Period& other) {
    const double ratio = std::max(period / other.length,
                                  other.length / period);
    return std::abs(ratio - std::round(ratio)) < 0.03 * ratio;
  });
}

// The strongest period of what is left, with its multiple before it. Empty if
// there is none. Subtracts them from the series.
std::vector<Period> FindNext(PreparedSeries& series,
                             const std::vector<Period>& known) {
  for (PeriodFit fit : FitCandidates(series)) {
    if (Related(fit.period, known)) continue;
    fit = FitPeriod(series, RefinePeriod(series, fit.period, fit.harmonics));
    const PeriodFit shorter = Shortened(series, fit);
    if (shorter.period < fit.period) {
      fit = FitPeriod(series, RefinePeriod(series, shorter.period,
                                           shorter.harmonics));
    }
    if (!Passes(fit) || fit.period * kTolerance < kShortestPeriod ||
        fit.period > Longest(series) || Related(fit.period, known)) {
      continue;
    }
    const double agreement = CycleAgreement(series, fit.period);
    if (agreement < kLeastAgreement) continue;
    std::vector<Period> found;
    PreparedSeries rest = WithoutProfile(series, fit.period);
    const auto multiple = Multiple(series, rest, fit);
    if (multiple) {
      found.push_back(MakePeriod(series, *multiple,
                                 CycleAgreement(series, multiple->period)));
      rest = WithoutProfile(rest, multiple->period);
    }
    found.push_back(MakePeriod(series, fit, agreement));
    series = std::move(rest);
    return found;
  }
  return {};
}

}  // namespace

std::vector<Period> FindPeriods(std::span<const double> values,
                                size_t at_most) {
  std::vector<Period> periods;
  if (values.size() < kFewestValues) return periods;
  PreparedSeries series = Prepare(values);
  if (series.measured < kFewestValues) return periods;
  while (periods.size() < at_most) {
    const std::vector<Period> found = FindNext(series, periods);
    if (found.empty()) break;
    periods.insert(periods.end(), found.begin(), found.end());
  }
  if (periods.size() > at_most) periods.resize(at_most);
  return periods;
}

}  // namespace mete
