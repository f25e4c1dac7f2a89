// The time of a request that has no good answer, in lists of times.
#pragma once

#include <optional>

#include "support/units.h"

namespace mete {

// Longer than any time that was waited for, so that it counts as slower than
// every answer. Finite, so that interpolation works.
inline constexpr double kUnansweredTime = 1e15;

// Absent for kUnansweredTime, and for an interpolation between it and a known
// time.
inline std::optional<Seconds> KnownTime(double seconds) {
  constexpr double kLongestKnown = 1e9;
  if (seconds > kLongestKnown) return std::nullopt;
  return Seconds(seconds);
}

}  // namespace mete
