// The timed region: one engine call between two clock readings, and the
// bookkeeping around it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "measure/input_tensors.h"
#include "ports/engine.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Runs a session repeatedly and records the time of every call. Nothing but
// EngineSession::Run happens between the two clock readings: freeing the last
// outputs, setting the next input, CPU accounting and storing the sample come
// before or after.
class TimedSeries {
 public:
  // What a series works on. All of it must outlive the series.
  struct Parts {
    EngineSession& session;
    const InputFeeds& feeds;  // at least one
    const Clock& clock;
  };

  // Reserves memory for `expected` calls.
  TimedSeries(const Parts& parts, size_t expected);

  // Makes one call. Fails as the engine does; then no sample is stored.
  Status TimeOne();

  size_t size() const { return seconds_.size(); }
  const std::vector<double>& seconds() const { return seconds_; }
  // CPU time of this process from call `first` to the last, including setting
  // inputs and the ending rule in between. Absent when there are no such calls.
  std::optional<Seconds> CpuTime(size_t first);
  // When the last call ended.
  std::chrono::nanoseconds last_end() const { return last_end_; }

 private:
  // Consecutive calls, with the CPU time from before the first to after the
  // last.
  struct Stretch {
    size_t first = 0;
    size_t end = 0;
    Seconds cpu{0};
  };

  Status Feed();
  void CloseStretch();
  double Total(size_t first, size_t end) const;

  Parts parts_;
  std::vector<double> seconds_;
  std::vector<Stretch> stretches_;           // the last one may still be open
  Seconds cpu_before_{0};                    // at the start of the open stretch
  std::chrono::nanoseconds stretch_end_{0};  // when it closes
  std::chrono::nanoseconds last_end_{0};
};

}  // namespace mete
