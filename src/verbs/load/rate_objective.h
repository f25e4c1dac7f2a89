// An objective on the sojourn times of a service, and whether a load kept it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "load/load_samples.h"
#include "stats/interval.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The share p of all requests is answered within the bound.
struct RateObjective {
  double p = 0.95;
  Seconds bound{0};
  std::string text;  // "p95=50ms", as it was given
};
// "p95=50ms", "p99.9=1s". Fails with kInvalidInput.
Result<RateObjective> ParseRateObjective(std::string_view text);

enum class ObjectiveVerdict {
  kKept,       // even the upper end of the interval is within the bound
  kViolated,   // even the lower end is beyond it, or the service is saturated
  kUndecided,  // the interval contains the bound, or there are too few requests
};
std::string_view ToString(ObjectiveVerdict verdict);  // "kept"

// The quantile of an objective with its interval, and what follows.
struct ObjectiveCheck {
  ObjectiveVerdict verdict = ObjectiveVerdict::kUndecided;
  uint64_t requests = 0;
  // Absent: it lies among requests without an answer, or there are too few.
  std::optional<Seconds> value{};
  std::optional<Seconds> low{};
  std::optional<Seconds> high{};
};

// Judges all windows together, which must have the same load. Failed and
// unanswered requests count as beyond any bound. Independent of the verdict,
// every window must be free of saturation to keep the objective.
ObjectiveCheck CheckObjective(const RateObjective& objective,
                              std::span<const LoadSamples> windows,
                              double confidence);

}  // namespace mete
