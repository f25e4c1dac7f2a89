#include "analyze/analyze_series.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "series/even_series.h"
#include "series/find_periods.h"
#include "series/forecast.h"
#include "series/legacy_period.h"
#include "series/level_shifts.h"
#include "series/prepared_series.h"
#include "series/seasonal_profile.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

Status CheckRequest(const AnalyzeRequest& request) {
  if (request.series.times.size() != request.series.values.size()) {
    return InvalidInput(
        "the series has " + std::to_string(request.series.times.size()) +
        " times but " + std::to_string(request.series.values.size()) +
        " values");
  }
  if (request.step && request.step->count() <= 0) {
    return InvalidInput("the step must be positive");
  }
  if (request.horizon && request.horizon->count() < 0) {
    return InvalidInput("the horizon must not be negative");
  }
  if (!(request.confidence > 0 && request.confidence < 1)) {
    return InvalidInput("the confidence must be between 0 and 1");
  }
  return {};
}

SeriesSummary Summarize(const EvenSeries& even) {
  std::vector<double> sorted;
  for (double value : even.values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  SeriesSummary summary{
      .count = sorted.size(),
      .gaps = even.values.size() - sorted.size(),
      .start = even.start,
      .end =
          even.start + even.step * static_cast<double>(even.values.size() - 1),
      .step = Seconds(even.step)};
  for (double value : sorted) {
    summary.mean += value / static_cast<double>(sorted.size());
  }
  std::ranges::sort(sorted);
  summary.min = sorted.front();
  summary.median = *QuantileOfSorted(sorted, 0.5);
  summary.p95 = *QuantileOfSorted(sorted, 0.95);
  summary.max = sorted.back();
  return summary;
}

// Alnair's rule knows no gaps and no confidence.
std::vector<Period> LegacyPeriods(const std::vector<double>& values) {
  const auto period = FindLegacyPeriod(values);
  if (!period) return {};
  return {Period{.length = *period,
                 .cycles = static_cast<double>(values.size()) / *period}};
}

std::vector<Period> PeriodsFor(const std::vector<double>& values, double step,
                               PeriodMethod method) {
  if (method == PeriodMethod::kLegacy) return LegacyPeriods(values);
  return FindPeriods(values,
                     {.natural = {kHour / step, kDay / step, 7 * kDay / step}});
}

// The series less its mean cycles.
std::vector<double> WithoutPeriods(const std::vector<double>& values,
                                   const std::vector<Period>& periods) {
  if (periods.empty()) return values;
  PreparedSeries prepared = Prepare(values);
  std::vector<double> rest = values;
  for (const Period& period : periods) {
    const PreparedSeries without = WithoutProfile(prepared, period.length);
    for (size_t i = 0; i < rest.size(); ++i) {
      rest[i] -= prepared.values[i] - without.values[i];
    }
    prepared = without;
  }
  return rest;
}

ForecastMethod MethodFor(Extrapolation method) {
  switch (method) {
    case Extrapolation::kMedian:
      return ForecastMethod::kMedian;
    case Extrapolation::kSeasonalNaive:
      return ForecastMethod::kSeasonalNaive;
    case Extrapolation::kSeasonalMedian:
      return ForecastMethod::kSeasonalMedian;
    case Extrapolation::kBlend:
      return ForecastMethod::kBlend;
    case Extrapolation::kHoltWinters:
      return ForecastMethod::kHoltWinters;
    case Extrapolation::kHarmonics:
      return ForecastMethod::kHarmonics;
    case Extrapolation::kLine:
      return ForecastMethod::kLine;
  }
  return ForecastMethod::kMedian;
}

size_t HorizonFor(const AnalyzeRequest& request, const EvenSeries& even,
                  const std::vector<Period>& periods) {
  if (request.horizon) {
    return static_cast<size_t>(
        std::min(std::ceil(request.horizon->count() / even.step),
                 static_cast<double>(kMostEvenValues)));
  }
  double longest = 0;
  for (const Period& period : periods) {
    longest = std::max(longest, period.length);
  }
  if (longest > 0) return static_cast<size_t>(std::lround(longest));
  return std::max<size_t>(1, even.values.size() / 10);
}

std::optional<SeriesForecast> MakeForecast(const AnalyzeRequest& request,
                                           const EvenSeries& even,
                                           const std::vector<double>& aligned,
                                           const std::vector<Period>& periods) {
  ForecastRequest forecast{.series = aligned,
                           .horizon = HorizonFor(request, even, periods),
                           .confidence = request.confidence};
  for (const Period& period : periods) {
    forecast.periods.push_back(period.length);
  }
  Continuation continuation = Forecast(forecast);
  if (continuation.values.empty()) return std::nullopt;
  return SeriesForecast{
      .method = MethodFor(continuation.method),
      .start = even.start + even.step * static_cast<double>(even.values.size()),
      .step = Seconds(even.step),
      .values = std::move(continuation.values),
      .low = std::move(continuation.low),
      .high = std::move(continuation.high),
      .confidence = request.confidence,
      .mase = continuation.mase,
      .coverage = continuation.coverage};
}

}  // namespace

std::string_view ToString(ForecastMethod method) {
  constexpr std::array<std::string_view, 7> kNames = {
      "median", "seasonal_naive", "seasonal_median",
      "blend",  "holt_winters",   "harmonics",
      "line"};
  return kNames[static_cast<size_t>(method)];
}

Result<SeriesAnalysis> AnalyzeSeries(const AnalyzeRequest& request) {
  RETURN_IF_ERROR(CheckRequest(request));
  ASSIGN_OR_RETURN(EvenSeries even,
                   MakeEven(request.series.times, request.series.values,
                            request.step ? request.step->count() : 0));
  SeriesAnalysis analysis;
  if (even.values.empty()) return analysis;
  analysis.summary = Summarize(even);

  std::vector<Period> periods =
      PeriodsFor(even.values, even.step, request.method);
  const std::vector<Shift> shifts =
      FindLevelShifts(WithoutPeriods(even.values, periods));
  const std::vector<double> aligned = WithoutShifts(even.values, shifts);
  // A shift can hide a period.
  if (periods.empty() && !shifts.empty()) {
    periods = PeriodsFor(aligned, even.step, request.method);
  }
  for (const Period& period : periods) {
    analysis.periods.push_back({.length = Seconds(period.length * even.step),
                                .cycles = period.cycles,
                                .confidence = period.confidence,
                                .strength = period.strength,
                                .tentative = period.tentative});
  }
  for (const Shift& shift : shifts) {
    analysis.level_shifts.push_back(
        {.time = even.start + even.step * static_cast<double>(shift.at),
         .change = shift.change});
  }
  if (const auto slope = RobustSlope(WithoutPeriods(aligned, periods))) {
    analysis.trend = SeriesTrend{
        .per_second = slope->slope / even.step,
        .low = slope->interval.low / even.step,
        .high = slope->interval.high / even.step,
        .significant = slope->interval.low > 0 || slope->interval.high < 0};
  }
  analysis.forecast = MakeForecast(request, even, aligned, periods);
  return analysis;
}

}  // namespace mete
