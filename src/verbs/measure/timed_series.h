// The timed region: one engine call between two readings of the clock, and
// what is collected around it.
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

// Runs a session again and again and keeps the time of every call. Nothing
// happens between the two clock readings but EngineSession::Run: freeing the
// last outputs, feeding the next input, CPU accounting and storing the sample
// come before or after.
class TimedSeries {
 public:
  struct Parts {
    EngineSession& session;
    const InputFeeds& feeds;  // at least one
    const Clock& clock;
  };

  // Storage for `expected` calls is reserved at once.
  TimedSeries(const Parts& parts, size_t expected);

  // Fails as the engine does; the sample is then not kept.
  Status TimeOne();

  size_t size() const { return seconds_.size(); }
  const std::vector<double>& seconds() const { return seconds_; }
  // CPU time of this process from call `first` to the last, what feeding and
  // the ending rule took in between included. Absent without such calls.
  std::optional<Seconds> CpuTime(size_t first);
  // When the last call ended.
  std::chrono::nanoseconds last_end() const { return last_end_; }

 private:
  // Calls in a row, with the CPU time from before the first to after the last.
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
  Seconds cpu_before_{0};                    // the open stretch
  std::chrono::nanoseconds stretch_end_{0};  // when it closes
  std::chrono::nanoseconds last_end_{0};
};

}  // namespace mete
