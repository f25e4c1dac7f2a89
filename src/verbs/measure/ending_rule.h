// Decides when a series of timed calls ends and which calls are warm-up.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "stats/stopping.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Stop once the median is known to +-target.
struct UntilPrecise {
  double target = 0.02;
};
// Stop after `count` calls beyond the warm-up.
struct FixedIterations {
  uint64_t count = 0;  // >= 1
};
// Stop after this time.
struct FixedDuration {
  Seconds length{0};  // > 0
};
// Any of these rules.
using Ending = std::variant<UntilPrecise, FixedIterations, FixedDuration>;

// The fields of MeasureRequest that decide when to stop. See there.
struct EndingRequest {
  Ending when;
  std::optional<Seconds> max_duration;
  std::optional<uint64_t> warmup;
  Seconds least{0};  // UntilPrecise does not stop earlier
};

inline constexpr Seconds kDefaultMaxDuration{60};

// Decides after every call whether to make another.
class EndingRule {
 public:
  virtual ~EndingRule() = default;

  // `series` holds the seconds of all calls so far.
  virtual bool IsDone(const std::vector<double>& series, Seconds elapsed) = 0;
  // How to split the series into warm-up and steady part.
  virtual SteadyRequest Cut() const = 0;
};

// Fails with kInvalidInput when a number is out of its range.
Result<std::unique_ptr<EndingRule>> MakeEndingRule(
    const EndingRequest& request);

// Each is absent when the request sets none.
std::optional<Seconds> TimeLimit(const EndingRequest& request);
std::optional<double> TargetFor(const EndingRequest& request);
std::optional<uint64_t> IterationsFor(const EndingRequest& request);

}  // namespace mete
