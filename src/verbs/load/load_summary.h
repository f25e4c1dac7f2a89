// The result of a load for people and programs: counts, rates, quantiles with
// intervals, and whether the service kept up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/load_samples.h"
#include "stats/interval.h"
#include "support/units.h"

namespace mete {

// One quantile of a time and its 95 % interval. Absent values cannot be known:
// too few samples, the quantile lies among requests without an answer, or the
// service is saturated, so that the interval depends on the window.
struct TimeQuantile {
  double p = 0.5;
  std::optional<Seconds> value{};
  std::optional<Seconds> low{};
  std::optional<Seconds> high{};
};

std::string QuantileName(double p);  // "p95"

// The distribution of a time over requests.
struct TimeSummary {
  uint64_t count = 0;             // samples it was computed from
  std::optional<Seconds> mean{};  // absent when a value is unknown
  // p50, p75, p90, p95, p99; without samples their values are absent.
  std::vector<TimeQuantile> quantiles;
  std::optional<Seconds> max{};

  // The quantile p; CHECKs that it is one of those above.
  const TimeQuantile& At(double p) const;
};

// Why a service counts as saturated.
enum class SaturationSign {
  kNone,
  kRejected,    // it refused requests (status 429 or 503)
  kBacklog,     // requests piled up through the window
  kUnanswered,  // some had no answer after the drain
  kGrowing,     // sojourn times grew through the window
  kGenerator,   // not the service: mete itself could not send fast enough
};
std::string_view ToString(SaturationSign sign);  // "growing"

// Whether the service kept up with the load. The numbers of a saturated window
// depend on its length and say nothing about any other window.
struct SaturationVerdict {
  SaturationSign sign = SaturationSign::kNone;
  std::string explanation;  // with numbers; "" if it kept up
  bool saturated() const { return sign != SaturationSign::kNone; }
};

// How many requests ended how.
struct LoadCounts {
  uint64_t planned = 0;     // in the schedule
  uint64_t sent = 0;        // the generator got to them
  uint64_t answered = 0;    // with a status from 200 to 299
  uint64_t failed = 0;      // another status, or no whole answer
  uint64_t rejected = 0;    // of the failed: status 429 or 503
  uint64_t unanswered = 0;  // still without an answer after the drain
  uint64_t waited = 0;      // for a free connection
};

// How late the generator itself was.
struct SchedulingError {
  Seconds p50{0};
  Seconds p99{0};
  Seconds max{0};
};

// The result for one target.
struct LoadSummary {
  std::string name;
  std::string arrivals;
  Seconds window{0};
  LoadCounts counts;
  double offered_rate = 0;   // requests sent per second
  double achieved_rate = 0;  // answered within the window, per second
  std::optional<SchedulingError> scheduling{};  // absent when nothing was sent
  // From the intended time to the answer, over answered and unanswered
  // requests; failed ones are only counted.
  TimeSummary sojourn;
  std::optional<TimeSummary> service{};  // as the service says
  std::optional<TimeSummary> queueing{};
  SaturationVerdict saturation;
  std::vector<std::string> notes;  // what limits the numbers
  bool interrupted = false;
};

LoadSummary SummarizeLoad(const LoadSamples& samples);

}  // namespace mete
