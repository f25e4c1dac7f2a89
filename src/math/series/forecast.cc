#include "series/forecast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "series/extrapolate.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr double kMostPerCycle = 96;
constexpr double kMostWithoutPeriod = 512;
constexpr size_t kMostOrigins = 6;
constexpr double kHandicap = 1.1;

// Gaps are filled with the value one cycle before, or the last one.
std::vector<double> Filled(std::span<const double> series, double period) {
  std::vector<double> filled(series.begin(), series.end());
  const auto back = static_cast<size_t>(std::lround(period));
  double last = 0;
  for (double value : series) {
    if (std::isfinite(value)) {
      last = value;
      break;
    }
  }
  for (size_t t = 0; t < filled.size(); ++t) {
    if (!std::isfinite(filled[t])) {
      filled[t] = back > 0 && t >= back ? filled[t - back] : last;
    } else {
      last = filled[t];
    }
  }
  return filled;
}

// Forecasts work on means of `width` samples, aligned with the end, so that a
// cycle has a whole number of them.
struct Grid {
  double width = 1;
  size_t season = 1;           // of the shortest period, in means
  std::vector<double> cycles;  // of all periods, in means
};

Grid MakeGrid(size_t length, const std::vector<double>& periods) {
  Grid grid;
  if (periods.empty()) {
    grid.width =
        std::max(1.0, static_cast<double>(length) / kMostWithoutPeriod);
    return grid;
  }
  const double shortest = *std::ranges::min_element(periods);
  const double points =
      std::max(1.0, std::min(kMostPerCycle, std::floor(shortest)));
  grid.width = std::max(1.0, shortest / points);
  grid.season = static_cast<size_t>(std::round(shortest / grid.width));
  for (double period : periods) grid.cycles.push_back(period / grid.width);
  return grid;
}

std::vector<double> Means(std::span<const double> history, double width) {
  const auto count =
      static_cast<size_t>(static_cast<double>(history.size()) / width + 1e-9);
  std::vector<double> means(count);
  size_t end = history.size();
  for (size_t i = 1; i <= count; ++i) {
    const double back = std::min(static_cast<double>(history.size()),
                                 static_cast<double>(i) * width + 0.5);
    const size_t begin = history.size() - static_cast<size_t>(back);
    double sum = 0;
    for (size_t t = begin; t < end; ++t) sum += history[t];
    means[count - i] =
        sum / static_cast<double>(std::max<size_t>(1, end - begin));
    end = begin;
  }
  return means;
}

// Straight lines between the middles of the means. `last` is the mean before.
std::vector<double> Spread(const std::vector<double>& means, double last,
                           double width, size_t horizon) {
  std::vector<double> values(horizon);
  for (size_t i = 0; i < horizon; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / width - 0.5;
    const double place = std::floor(at);
    const double share = at - place;
    auto mean = [&](double k) {
      if (k < 0) return last;
      return means[std::min(means.size() - 1, static_cast<size_t>(k))];
    };
    values[i] = width == 1
                    ? means[std::min(i, means.size() - 1)]
                    : (1 - share) * mean(place) + share * mean(place + 1);
  }
  return values;
}

// One of the competing forecasts.
struct Candidate {
  Extrapolation method = Extrapolation::kMedian;
  double period = 0;  // of the repeating ones
  double window = 1;  // of the median: share of the history
};

// Everything that is chosen once: the grid and the smoothing.
struct Plan {
  Grid grid;
  Smoothing smoothing;
  std::vector<double> periods;
};

constexpr size_t kCyclesOfMedian = 5;

std::vector<double> Extrapolate(const Plan& plan, const Candidate& candidate,
                                std::span<const double> history,
                                size_t horizon) {
  const double width = plan.grid.width;
  if (candidate.method == Extrapolation::kSeasonalNaive) {
    // On the samples themselves: exactly what the name says.
    return RepeatCycle(
        history, static_cast<size_t>(std::round(candidate.period)), horizon);
  }
  const std::vector<double> means = Means(history, width);
  const auto steps =
      static_cast<size_t>(std::ceil(static_cast<double>(horizon) / width) + 1);
  const auto season = static_cast<size_t>(std::round(candidate.period / width));
  std::vector<double> ahead;
  switch (candidate.method) {
    case Extrapolation::kMedian: {
      const auto count = std::max<size_t>(
          1, static_cast<size_t>(candidate.window *
                                 static_cast<double>(means.size())));
      ahead = RepeatMedianCycle(means, 1, count, steps);
      break;
    }
    case Extrapolation::kHarmonics:
      ahead = ExtrapolateHarmonics(means, plan.grid.cycles, steps);
      break;
    case Extrapolation::kLine:
      ahead = ExtrapolateLine(means, steps);
      break;
    case Extrapolation::kHoltWinters:
      ahead =
          ExtrapolateSmoothly(means, plan.grid.season, steps, plan.smoothing);
      break;
    default:
      ahead = RepeatMedianCycle(means, season, kCyclesOfMedian, steps);
  }
  if (candidate.method == Extrapolation::kBlend) {
    const std::vector<double> last = RepeatCycle(means, season, steps);
    for (size_t i = 0; i < steps; ++i) ahead[i] = (ahead[i] + last[i]) / 2;
  }
  return Spread(ahead, means.back(), width, horizon);
}

std::vector<Candidate> Candidates(const Plan& plan) {
  std::vector<Candidate> candidates;
  for (double period : plan.periods) {
    for (Extrapolation method :
         {Extrapolation::kBlend, Extrapolation::kSeasonalMedian,
          Extrapolation::kSeasonalNaive}) {
      candidates.push_back({.method = method, .period = period});
    }
  }
  if (!plan.periods.empty()) {
    candidates.push_back({.method = Extrapolation::kHoltWinters});
    candidates.push_back({.method = Extrapolation::kHarmonics});
  } else {
    for (double window : {1.0, 0.25, 1.0 / 16}) {
      candidates.push_back(
          {.method = Extrapolation::kMedian, .window = window});
    }
    candidates.push_back({.method = Extrapolation::kLine});
    candidates.push_back({.method = Extrapolation::kHoltWinters});
  }
  return candidates;
}

// Errors of one method for each origin: measured less forecast.
using Errors = std::vector<std::vector<double>>;

Errors Backtest(const Plan& plan, const Candidate& candidate,
                std::span<const double> filled,
                std::span<const double> measured,
                const std::vector<size_t>& origins, size_t horizon) {
  Errors errors;
  for (size_t origin : origins) {
    const std::vector<double> ahead =
        Extrapolate(plan, candidate, filled.first(origin), horizon);
    std::vector<double> here(horizon);
    for (size_t i = 0; i < horizon; ++i)
      here[i] = measured[origin + i] - ahead[i];
    errors.push_back(std::move(here));
  }
  return errors;
}

double MeanAbsolute(const Errors& errors) {
  double sum = 0, count = 0;
  for (const auto& origin : errors) {
    for (double error : origin) {
      if (!std::isfinite(error)) continue;
      sum += std::abs(error);
      count += 1;
    }
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::infinity();
}

// Quantiles of the errors of all origins but one (none: -1) in the part of the
// horizon around i.
struct Band {
  std::vector<double> low, high;
};
constexpr size_t kParts = 4;  // of the horizon; errors grow along it
Band ErrorBand(const Errors& errors, size_t horizon, double confidence,
               size_t without) {
  Band band;
  for (size_t part = 0; part < kParts; ++part) {
    std::vector<double> values;
    for (size_t origin = 0; origin < errors.size(); ++origin) {
      if (origin == without) continue;
      for (size_t i = part * horizon / kParts;
           i < (part + 1) * horizon / kParts; ++i) {
        if (std::isfinite(errors[origin][i])) {
          values.push_back(errors[origin][i]);
        }
      }
    }
    std::ranges::sort(values);
    band.low.push_back(
        QuantileOfSorted(values, (1 - confidence) / 2).value_or(0));
    band.high.push_back(
        QuantileOfSorted(values, (1 + confidence) / 2).value_or(0));
  }
  return band;
}

double Coverage(const Errors& errors, const std::vector<Band>& bands,
                size_t horizon, double scale) {
  double inside = 0, count = 0;
  for (size_t origin = 0; origin < errors.size(); ++origin) {
    for (size_t i = 0; i < horizon; ++i) {
      const double error = errors[origin][i];
      if (!std::isfinite(error)) continue;
      const size_t part = std::min(kParts - 1, i * kParts / horizon);
      count += 1;
      if (error >= scale * bands[origin].low[part] &&
          error <= scale * bands[origin].high[part]) {
        inside += 1;
      }
    }
  }
  return count > 0 ? inside / count : 0;
}

// Where forecasts of the past begin: at least two cycles of the shortest
// period and one of every other are known there, or as much as is forecast.
std::vector<size_t> Origins(size_t length, size_t horizon,
                            const std::vector<double>& periods) {
  std::vector<size_t> origins;
  double least = std::max(8.0, static_cast<double>(horizon));
  if (!periods.empty()) {
    const auto [shortest, longest] = std::ranges::minmax(periods);
    least = std::max({8.0, 2 * shortest + 1, longest + 1});
  }
  const double last =
      static_cast<double>(length) - static_cast<double>(horizon);
  if (least > last) return origins;
  // Distances are not whole cycles, so that all phases occur.
  const double apart =
      std::max(1.0, std::min(0.77 * static_cast<double>(horizon),
                             (last - least) / (kMostOrigins - 1)));
  for (size_t i = 0; i < kMostOrigins; ++i) {
    const double back = static_cast<double>(i) * apart;
    if (back > last - least + 0.5) break;
    origins.push_back(static_cast<size_t>(last - back));
  }
  return origins;
}

double RepeatError(std::span<const double> series, size_t lag) {
  double sum = 0, count = 0;
  for (size_t t = lag; t < series.size(); ++t) {
    const double error = series[t] - series[t - lag];
    if (!std::isfinite(error)) continue;
    sum += std::abs(error);
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

Continuation Forecast(const ForecastRequest& request) {
  Continuation result;
  const size_t n = request.series.size(), horizon = request.horizon;
  const bool any = std::ranges::any_of(
      request.series, [](double value) { return std::isfinite(value); });
  if (!any || horizon == 0) return result;
  Plan plan;
  for (double period : request.periods) {
    if (2 * period <= 1.03 * static_cast<double>(n)) {
      plan.periods.push_back(period);
    }
  }
  const double period = plan.periods.empty() ? 0 : plan.periods.front();
  const std::vector<double> filled = Filled(request.series, period);
  plan.grid = MakeGrid(n, plan.periods);

  // The past is forecast at most one horizon ahead, and a third of the series.
  const size_t tested = std::max<size_t>(1, std::min(horizon, n / 3));
  const std::vector<size_t> origins = Origins(n, tested, plan.periods);
  const auto train = std::span<const double>(filled).first(
      origins.empty() ? n : origins.back());
  const std::vector<double> means = Means(train, plan.grid.width);
  const auto steps = static_cast<size_t>(
      std::max(1.0, static_cast<double>(tested) / plan.grid.width));
  if (means.size() >= 2 * plan.grid.season + 2) {
    plan.smoothing = ChooseSmoothing(means, plan.grid.season, steps);
  }

  const std::vector<Candidate> candidates = Candidates(plan);
  Candidate chosen = candidates.front();
  Errors errors;
  double least = std::numeric_limits<double>::infinity();
  double best = least;
  for (const Candidate& candidate : candidates) {
    Errors own =
        Backtest(plan, candidate, filled, request.series, origins, tested);
    // What has more freedom must be better by more.
    const bool free = candidate.method == Extrapolation::kLine ||
                      candidate.method == Extrapolation::kHarmonics ||
                      candidate.method == Extrapolation::kHoltWinters;
    const double error = MeanAbsolute(own);
    const double judged = error * (free ? kHandicap : 1);
    if (judged < best) {
      best = judged;
      least = error;
      errors = std::move(own);
      chosen = candidate;
    }
  }
  result.method = chosen.method;
  result.values = Extrapolate(plan, chosen, filled, horizon);
  const size_t lag = period > 0 ? static_cast<size_t>(std::lround(period)) : 1;
  const double repeat = RepeatError(request.series, lag);
  if (std::isfinite(least) && repeat > 0) result.mase = least / repeat;

  // Intervals: quantiles of the errors, scaled until those computed without an
  // origin cover as much of it as they should.
  double scale = 1;
  if (errors.size() >= 3) {
    std::vector<Band> bands;
    for (size_t origin = 0; origin < errors.size(); ++origin) {
      bands.push_back(ErrorBand(errors, tested, request.confidence, origin));
    }
    double low = 0.25, high = 8;
    for (int round = 0; round < 24; ++round) {
      const double middle = (low + high) / 2;
      (Coverage(errors, bands, tested, middle) < request.confidence ? low
                                                                    : high) =
          middle;
    }
    scale = high;
    result.coverage = Coverage(errors, bands, tested, scale);
  }
  if (errors.empty()) {
    // Too short for a test: the changes within the series, twice over.
    errors.push_back({});
    for (size_t t = lag; t < n; ++t) {
      errors[0].push_back(request.series[t] - request.series[t - lag]);
    }
    if (errors[0].empty()) errors[0].push_back(0);
    scale = 2;
  }
  const size_t known = errors[0].size();
  const Band band = ErrorBand(errors, known, request.confidence, errors.size());
  for (size_t i = 0; i < horizon; ++i) {
    const size_t part =
        std::min(kParts - 1, i * kParts / std::max<size_t>(1, tested));
    result.low.push_back(result.values[i] +
                         scale * std::min(0.0, band.low[part]));
    result.high.push_back(result.values[i] +
                          scale * std::max(0.0, band.high[part]));
  }
  return result;
}

}  // namespace mete
