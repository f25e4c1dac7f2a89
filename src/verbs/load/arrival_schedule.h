// When requests are to be sent. Pure: the same request gives the same times on
// every machine, so a load can be repeated exactly.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// Intended times of sending, ascending, each from 0 to less than `window`.
struct ArrivalSchedule {
  std::vector<std::chrono::nanoseconds> times;
  std::chrono::nanoseconds window{0};
  std::string origin;  // "poisson 200/s, seed 1", for results

  double rate() const;  // requests per second that it really contains
};

// How many requests per second, for how long.
struct ArrivalRequest {
  double rate = 0;    // > 0
  Seconds window{0};  // > 0
  uint64_t seed = 1;  // of Poisson arrivals
};

// Independent exponential gaps: many clients that know nothing of each other.
// Both fail with kInvalidInput for a rate or window that is not positive, and
// beyond kMostArrivals.
Result<ArrivalSchedule> PoissonArrivals(const ArrivalRequest& request);
// Equal gaps, the first request at 0.
Result<ArrivalSchedule> ConstantArrivals(const ArrivalRequest& request);

inline constexpr size_t kMostArrivals = 50'000'000;

// A recorded schedule as text: one number of seconds per line, ascending times
// since the start after a first line "arrival_s" (or none), or gaps between
// requests after "gap_s". Empty lines and lines after "#" are skipped. Fails
// with kInvalidInput and the number of the line. The window ends one mean gap
// after the last request unless `window` is given, which also cuts off what
// comes later.
Result<ArrivalSchedule> ParseArrivalTrace(std::string_view text,
                                          std::optional<Seconds> window = {});
// The inverse, with nanosecond resolution.
std::string FormatArrivalTrace(const ArrivalSchedule& schedule);

}  // namespace mete
