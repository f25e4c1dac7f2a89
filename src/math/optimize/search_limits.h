// When a search has to end.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>

#include "support/clock.h"
#include "support/units.h"

namespace mete {

// A deadline and a stop token; both are asked often, so they are cheap.
struct SearchLimits {
  const Clock* clock = nullptr;
  std::chrono::nanoseconds deadline{0};  // of clock->Now()
  std::stop_token stop;

  Seconds Left() const { return deadline - clock->Now(); }
  bool Over() const { return stop.stop_requested() || Left().count() <= 0; }
  // The same, but ending earlier: after a share of the time that is left.
  SearchLimits Share(double share) const {
    SearchLimits limits = *this;
    auto left = std::max(std::chrono::nanoseconds{0}, deadline - clock->Now());
    limits.deadline =
        clock->Now() + std::chrono::nanoseconds(static_cast<int64_t>(
                           share * static_cast<double>(left.count())));
    return limits;
  }
};

}  // namespace mete
