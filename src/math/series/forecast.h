// Forecasts of a series: which method did best on the known past, how the
// series continues, and how far off that may be.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mete {

// The methods that compete.
enum class Extrapolation {
  kMedian,          // of the recent past, for series without a period
  kSeasonalNaive,   // the last cycle again
  kSeasonalMedian,  // the median of the last five cycles
  kBlend,           // the mean of the last cycle and that median
  kHoltWinters,     // level, damped trend and season, each smoothed
  kHarmonics,       // regression on a level and harmonics of the periods
  kLine,            // the line of least squares, for series without a period
};

// What to forecast. Values that are not finite are gaps.
struct ForecastRequest {
  std::span<const double> series;
  std::vector<double> periods;  // in samples, the most important first
  size_t horizon = 0;           // in samples
  double confidence = 0.9;      // of the intervals
};

// The continuation, one value per sample.
struct Continuation {
  Extrapolation method = Extrapolation::kMedian;
  std::vector<double> values;
  std::vector<double> low;
  std::vector<double> high;
  // From forecasts of the known past; absent if it is too short for one.
  // Mean absolute error relative to that of repeating the last cycle (or, of a
  // series without a period, the last value) within the past: MASE of Hyndman
  // and Koehler, "Another look at measures of forecast accuracy", 2006.
  std::optional<double> mase;
  // Share of the past inside intervals that were computed without it.
  std::optional<double> coverage;
};

// Empty without a measured value or a horizon.
Continuation Forecast(const ForecastRequest& request);

}  // namespace mete
