#include "series/find_periods.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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
// Two jumps or bursts can look like two cycles, so few cycles must be clearer:
// with two, the score must be higher by this, and the agreement this high. Both
// fall to the usual values at five cycles.
constexpr double kExtraScore = 6;
constexpr double kAgreementOfTwo = 0.85;
constexpr double kManyCycles = 5;
// From here on, a test of a period that is not averaged takes long.
constexpr size_t kLongSeries = 2000;
// What a multiple must add to the explained share of the variance. In a series
// without noise even rounding is significant.
constexpr double kLeastAddition = 0.01;
// What is left after a natural period must agree this well over the cycles of a
// natural multiple of it.
constexpr double kNaturalAgreement = 0.6;
// A multiple comes first if repeating it is a better forecast by this factor
// than repeating the period.
constexpr double kBetterError = 0.9;
// With fewer cycles a maximum of the spectrum is only a rough guess.
constexpr double kFewCycles = 12;
// A little beyond the ends, because the estimate may be.
constexpr double kTolerance = 1.02;

double Longest(const PreparedSeries& series) {
  return static_cast<double>(series.size()) / 2 * kTolerance;
}

// From 1 for two cycles to 0 for many.
double Fewness(const PreparedSeries& series, double period) {
  const double cycles = static_cast<double>(series.size()) / period;
  return std::clamp((kManyCycles - cycles) / (kManyCycles - 2), 0.0, 1.0);
}

bool Passes(const PreparedSeries& series, const PeriodFit& fit) {
  return fit.score >= kLeastScore + kExtraScore * Fewness(series, fit.period) &&
         fit.strength >= kLeastStrength;
}

bool Agrees(const PreparedSeries& series, double period, double agreement) {
  return agreement >= kLeastAgreement + (kAgreementOfTwo - kLeastAgreement) *
                                            Fewness(series, period);
}

// The candidates that pass, the strongest first; of those that explain the
// same, the shortest. A fit takes long, so it is made when it may be the next.
class CandidateFits {
 public:
  // `least` is the share of the variance that a period must explain. Borrows
  // the series.
  CandidateFits(const PreparedSeries& series, double least)
      : series_(series), least_(least), waiting_(PeriodCandidates(series)) {
    std::erase_if(waiting_, [&](const PeriodCandidate& candidate) {
      return candidate.share < kShareOfStrength * least;
    });
    std::ranges::stable_sort(waiting_, {}, &PeriodCandidate::share);
  }

  std::optional<PeriodFit> Next() {
    while (true) {
      const auto best = std::ranges::min_element(fits_, {}, &Rank);
      const bool found = best != fits_.end();
      if (!found && waiting_.empty()) return std::nullopt;
      if (found && !MayBeat(best->strength)) {
        const PeriodFit next = *best;
        fits_.erase(best);
        return next;
      }
      Fit(waiting_.back().period);
      waiting_.pop_back();
    }
  }

 private:
  // The spectrum sees at least this part of what a fit explains.
  static constexpr double kShareOfStrength = 0.6;

  static std::pair<double, double> Rank(const PeriodFit& fit) {
    return {-std::round(fit.strength / kLeastAddition), fit.period};
  }
  // Whether a candidate that waits may rank before a fit of this strength.
  bool MayBeat(double strength) const {
    return !waiting_.empty() &&
           waiting_.back().share >=
               kShareOfStrength * (strength - kLeastAddition);
  }
  void Fit(double period) {
    PeriodFit fit = FitPeriod(series_, period);
    const double cycles = static_cast<double>(series_.size()) / period;
    if (cycles < kFewCycles && (fit.score > 0 || cycles < kManyCycles)) {
      const double near =
          std::clamp(RefinePeriod(series_, period, fit.harmonics),
                     kShortestPeriod, Longest(series_));
      const PeriodFit better = FitPeriod(series_, near);
      if (better.score > fit.score) fit = better;
    }
    if (Passes(series_, fit) && fit.strength >= least_) fits_.push_back(fit);
  }

  const PreparedSeries& series_;
  const double least_;
  std::vector<PeriodCandidate> waiting_;  // the most promising last
  std::vector<PeriodFit> fits_;           // not returned yet
};

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
    // Only a hint, because with few cycles other harmonics take a part of it,
    // but it saves time where tests take long.
    if (share < 0.5 && AveragingWidth(fit.period) == 1 &&
        series.size() > kLongSeries) {
      continue;
    }
    const bool aliases = Aliases(series, shorter);
    const PeriodFit candidate = FitPeriod(series, shorter);
    if (!Passes(series, candidate)) continue;
    if ((aliases && candidate.strength >= kAliasShare * fit.strength) ||
        candidate.strength >= fit.strength - kLeastAddition ||
        FitBeyondFactor(series, fit.period, factor).score < kLeastScore) {
      return candidate;
    }
  }
  return fit;
}

// A multiple of a period with which the rest of the series repeats: weeks, if
// Sundays differ from Mondays.
struct Multiple {
  PeriodFit fit;
  // Error of repeating the last long cycle, relative to that of repeating the
  // last short one.
  double error = 1;
  double agreement = 0;  // of the rest of the series
};

bool IsNatural(double period, const PeriodSearch& search) {
  return std::ranges::any_of(search.natural, [&](double natural) {
    return std::abs(period - natural) < 1e-6 * natural;
  });
}

// The natural period that `fit` cannot be distinguished from, or `fit`.
PeriodFit Naturally(const PreparedSeries& series, const PeriodFit& fit,
                    const PeriodSearch& search) {
  const double cycles = static_cast<double>(series.size()) / fit.period;
  for (double natural : search.natural) {
    if (std::abs(fit.period / natural - 1) > std::min(0.03, 0.25 / cycles)) {
      continue;
    }
    const PeriodFit snapped = FitPeriod(series, natural);
    if (snapped.strength >= fit.strength - 0.02) return snapped;
  }
  return fit;
}

// `rest` is the series without the period.
std::optional<Multiple> FindMultiple(const PreparedSeries& series,
                                     const PreparedSeries& rest,
                                     const PeriodFit& fit,
                                     const PeriodSearch& search) {
  std::optional<Multiple> best;
  const bool aliases = Aliases(series, fit.period);
  if (aliases && fit.strength >= kAliasShare) return best;
  for (int factor = 2; factor <= kMostHarmonics; ++factor) {
    const double longer = fit.period * factor;
    if (longer > Longest(series)) break;
    const FitBeyond beyond = FitBeyondFactor(series, longer, factor);
    if (best && beyond.score <= best->fit.score) continue;
    const bool natural =
        IsNatural(fit.period, search) && IsNatural(longer, search);
    if (beyond.strength < kLeastAddition ||
        beyond.score < (natural ? 0 : kLeastScore)) {
      continue;
    }
    const double agreement = CycleAgreement(rest, longer);
    if (agreement < (natural ? kNaturalAgreement : kLeastAgreement)) continue;
    if (aliases &&
        fit.strength >= kAliasShare * FitPeriod(series, longer).strength) {
      continue;
    }
    best = {.fit = {.period = longer,
                    .score = beyond.score,
                    .strength = std::min(1.0, fit.strength + beyond.strength),
                    .harmonics = kMostHarmonics},
            .error = RelativeRepeatError(series, fit.period, factor),
            .agreement = agreement};
  }
  return best;
}

// A series that deviates so little from a line has no period that matters: what
// repeats is the rounding of its values.
constexpr double kLeastDeviation = 0.003;
bool IsLine(const PreparedSeries& series) {
  double squares = 0;
  for (double value : series.values) squares += value * value;
  const double deviation =
      std::sqrt(squares / static_cast<double>(series.size()));
  return deviation <= kLeastDeviation * std::abs(series.rise);
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
    const double ratio = std::max(period / other.length, other.length / period);
    return std::abs(ratio - std::round(ratio)) < 0.03 * ratio;
  });
}

// The strongest period of a series and its multiple, if it has them, which are
// then subtracted. `left` is the share of the original variance.
std::vector<Period> FindNext(PreparedSeries& series, double left,
                             const std::vector<Period>& known,
                             const PeriodSearch& search) {
  CandidateFits candidates(series, kLeastStrength / left);
  while (const auto candidate = candidates.Next()) {
    PeriodFit fit = *candidate;
    if (Related(fit.period, known)) continue;
    fit = FitPeriod(series, RefinePeriod(series, fit.period, fit.harmonics));
    const PeriodFit shorter = Shortened(series, fit);
    if (shorter.period < fit.period) {
      fit = FitPeriod(series,
                      RefinePeriod(series, shorter.period, shorter.harmonics));
    }
    fit = Naturally(series, fit, search);
    if (!Passes(series, fit) || fit.period * kTolerance < kShortestPeriod ||
        fit.period > Longest(series) || Related(fit.period, known)) {
      continue;
    }
    const double agreement = CycleAgreement(series, fit.period);
    if (!Agrees(series, fit.period, agreement)) continue;
    std::vector<Period> found;
    PreparedSeries rest = WithoutProfile(series, fit.period);
    found.push_back(MakePeriod(series, fit, agreement));
    if (const auto multiple = FindMultiple(series, rest, fit, search)) {
      const bool better = multiple->error <= kBetterError;
      Period longer = MakePeriod(series, multiple->fit, multiple->agreement);
      // It is the period that is beyond doubt, not what the multiple adds.
      longer.confidence = found[0].confidence * multiple->agreement *
                          std::min(1.0, longer.cycles / kSureCycles);
      found.insert(better ? found.begin() : found.end(), longer);
      rest = WithoutProfile(rest, longer.length);
    }
    series = std::move(rest);
    return found;
  }
  return {};
}

}  // namespace

std::vector<Period> FindPeriods(std::span<const double> values,
                                const PeriodSearch& search) {
  std::vector<Period> periods;
  if (values.size() < kFewestValues) return periods;
  PreparedSeries series = Prepare(values);
  if (series.measured < kFewestValues) return periods;
  if (IsLine(series)) return periods;
  // Share of the variance that is not explained yet.
  double left = 1;
  while (periods.size() < search.at_most && left > kLeastStrength) {
    const std::vector<Period> found = FindNext(series, left, periods, search);
    if (found.empty()) break;
    for (Period period : found) {
      period.strength *= left;
      periods.push_back(period);
    }
    left *= 1 - found.front().strength;
  }
  if (periods.size() > search.at_most) periods.resize(search.at_most);
  return periods;
}

}  // namespace mete
