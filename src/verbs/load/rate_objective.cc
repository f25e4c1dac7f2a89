#include "load/rate_objective.h"

#include <fmt/format.h>

#include <algorithm>

#include "load/saturation.h"
#include "load/unanswered_time.h"
#include "stats/quantile.h"
#include "support/parse_number.h"

namespace mete {
namespace {

std::vector<double> TimesOf(std::span<const LoadSamples> windows) {
  std::vector<double> times;
  for (const LoadSamples& window : windows) {
    for (const LoadSample& sample : window.samples) {
      if (sample.fate == RequestFate::kNotSent) continue;
      auto sojourn = sample.Sojourn();
      times.push_back(sojourn ? sojourn->count() : kUnansweredTime);
    }
  }
  return times;
}

}  // namespace

Result<RateObjective> ParseRateObjective(std::string_view text) {
  auto malformed = [&] {
    return InvalidInput(
        fmt::format("'{}' is not an objective; write it like p95=50ms", text));
  };
  size_t equals = text.find('=');
  if (equals == std::string_view::npos || !text.starts_with('p')) {
    return malformed();
  }
  auto percent = ParseNumber<double>(text.substr(1, equals - 1));
  if (!percent) return malformed();
  if (!(*percent > 0 && *percent < 100)) {
    return InvalidInput(
        fmt::format("'{}': the quantile must be between p0 and p100", text));
  }
  ASSIGN_OR_RETURN(Seconds bound, ParseDuration(text.substr(equals + 1)));
  if (bound.count() <= 0) {
    return InvalidInput(fmt::format("'{}': the time must be positive", text));
  }
  return RateObjective{
      .p = *percent / 100, .bound = bound, .text = std::string(text)};
}

std::string_view ToString(ObjectiveVerdict verdict) {
  switch (verdict) {
    case ObjectiveVerdict::kKept:
      return "kept";
    case ObjectiveVerdict::kViolated:
      return "violated";
    case ObjectiveVerdict::kUndecided:
      return "undecided";
  }
  return "undecided";
}

ObjectiveCheck CheckObjective(const RateObjective& objective,
                              std::span<const LoadSamples> windows,
                              double confidence) {
  std::vector<double> times = TimesOf(windows);
  ObjectiveCheck check{.requests = times.size()};
  bool saturated = std::any_of(windows.begin(), windows.end(),
                               [](const LoadSamples& window) {
                                 return JudgeSaturation(window).saturated();
                               });
  if (saturated) check.verdict = ObjectiveVerdict::kViolated;
  if (times.empty()) return check;
  std::vector<double> sorted = Sorted(times);
  check.value = KnownTime(*QuantileOfSorted(sorted, objective.p));
  // A saturated service has no quantile to be sure about.
  if (saturated) return check;
  QuantileBounds bounds =
      BoundsOfSeries(times, sorted, objective.p, confidence);
  if (bounds.low) check.low = KnownTime(*bounds.low);
  if (bounds.high) check.high = KnownTime(*bounds.high);
  if (bounds.low && *bounds.low > objective.bound.count()) {
    check.verdict = ObjectiveVerdict::kViolated;
  } else if (check.high && *check.high <= objective.bound) {
    check.verdict = ObjectiveVerdict::kKept;
  }
  return check;
}

}  // namespace mete
