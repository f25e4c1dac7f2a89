// Searches the highest request rate at which a service keeps an objective.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "load/load_samples.h"
#include "load/rate_objective.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// What to search, and how exactly.
struct FindRateRequest {
  RateObjective objective;
  double start = 10;         // first rate, requests per second
  Seconds window{30};        // of one measurement
  double precision = 0.05;   // of the rate, as a share
  size_t most_windows = 40;  // measurements in all
};

// One rate that was measured, in one or more windows.
struct RateTrial {
  double rate = 0;
  size_t windows = 0;
  ObjectiveCheck check;
};

// Why a search ended.
enum class SearchEnd {
  kFound,         // the interval is as narrow as requested, or as it can be
  kNeverKept,     // violated even at the lowest rate that can be judged
  kTooFew,        // too few requests to judge even the first rates
  kGenerator,     // mete cannot send faster
  kOutOfWindows,  // most_windows were used
  kInterrupted,
};
std::string_view ToString(SearchEnd end);  // "never_kept"

// The result. The objective is kept at `kept` and violated at `violated`, so
// the highest rate lies between the two; see find_rate.cc for the confidence.
struct FoundRate {
  std::optional<double> kept;
  std::optional<double> violated;
  SearchEnd end = SearchEnd::kFound;
  std::vector<RateTrial> trials;  // by rate
};

// Loads the service at this rate for one window. Windows of one rate must not
// have the same arrival times, hence their number, counted from 0.
using MeasureRate =
    std::function<Result<LoadSamples>(double rate, size_t window)>;
// Called after each window.
using OnTrial = std::function<void(const RateTrial& trial)>;

// Fails when a measurement fails.
Result<FoundRate> FindRate(const FindRateRequest& request,
                           const MeasureRate& measure, const OnTrial& on_trial,
                           std::stop_token stop);

}  // namespace mete
