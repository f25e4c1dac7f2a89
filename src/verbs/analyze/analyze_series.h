// Analyzes one series of measurements: its periods, its trend, and how it will
// continue.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// Measurements as they were recorded. Times may be unordered, repeated and
// have gaps. A value that is not finite is a gap.
struct TimeSeries {
  std::vector<double> times;   // seconds since 1970-01-01 UTC
  std::vector<double> values;  // as many as times
};

// How periods are found.
enum class PeriodMethod {
  kRegression,  // docs/internals/periods.md
  kLegacy,      // the rule of Alnair, for comparison
};

// What to analyze, and how.
struct AnalyzeRequest {
  TimeSeries series;
  // Distance of the evenly spaced samples that are analyzed; absent: the
  // median distance of the times.
  std::optional<Seconds> step;
  PeriodMethod method = PeriodMethod::kRegression;
  // How far to forecast; 0: no forecast; absent: one cycle of the longest
  // period, or a tenth of the series if it has none.
  std::optional<Seconds> horizon;
  double confidence = 0.9;  // of the prediction intervals
};

// A period that the series repeats with.
struct SeriesPeriod {
  Seconds length{};
  double cycles = 0;  // how many of them the series contains
  // 0 to 1: how surely the series repeats with this period.
  double confidence = 0;
  // Share of the variance, without trend, that the period explains; 0 to 1.
  double strength = 0;
  bool tentative = false;  // fewer than three cycles
};

// Robust straight line through the series, without its periods.
struct SeriesTrend {
  double per_second = 0;
  double low = 0;  // 95 % interval
  double high = 0;
  bool significant = false;  // the interval does not contain 0
};

// The series moved to another level and stayed there.
struct LevelShift {
  double time = 0;  // seconds since 1970-01-01 UTC
  double change = 0;
};

// How forecasts are made. The one that did best on the past is chosen.
enum class ForecastMethod {
  kMedian,          // of the recent past, for series without a period
  kSeasonalNaive,   // the last cycle again
  kSeasonalMedian,  // the median of the last five cycles
  kBlend,           // the mean of the last cycle and that median
  kHoltWinters,     // exponential smoothing: level, damped trend, season
  kHarmonics,       // regression on a level and harmonics of the periods
  kLine,            // the line of least squares, for series without a period
};
// "median", "seasonal_naive", "seasonal_median", "blend", "holt_winters",
// "harmonics", "line".
std::string_view ToString(ForecastMethod method);

// The continuation of a series, evenly spaced.
struct SeriesForecast {
  ForecastMethod method = ForecastMethod::kMedian;
  double start = 0;  // time of the first value, seconds since 1970-01-01 UTC
  Seconds step{};
  std::vector<double> values;
  std::vector<double> low;  // prediction interval
  std::vector<double> high;
  double confidence = 0.9;  // of the interval
  // From forecasts of the known past (rolling back-test); absent if the series
  // is too short for one.
  std::optional<double> mase;      // error / error of the seasonal-naive one
  std::optional<double> coverage;  // share of values inside the interval
};

// Plain statistics of the measured values.
struct SeriesSummary {
  size_t count = 0;  // measured values
  size_t gaps = 0;   // samples between the first and last that are missing
  double start = 0;  // seconds since 1970-01-01 UTC
  double end = 0;
  Seconds step{};
  double mean = 0;
  double min = 0;
  double median = 0;
  double p95 = 0;
  double max = 0;
};

// The analysis of one series.
struct SeriesAnalysis {
  std::optional<SeriesSummary> summary;  // absent: no value was measured
  // The most important first; at most three.
  std::vector<SeriesPeriod> periods;
  std::optional<SeriesTrend> trend;  // absent with fewer than 8 values
  std::vector<LevelShift> level_shifts;
  std::optional<SeriesForecast> forecast;
};

// Fails with kInvalidInput when the numbers of times and values differ, the
// step is not positive, the confidence is not between 0 and 1, or the series
// has more than 10 million samples at this step. An empty series is not an
// error. Pure; may be called by several threads at once.
Result<SeriesAnalysis> AnalyzeSeries(const AnalyzeRequest& request);

}  // namespace mete
