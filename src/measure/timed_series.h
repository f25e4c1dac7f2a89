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
// happens between the two clock readings but EngineSession::Run: feeding the
// next input, CPU accounting and storing the sample come before or after.
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
  // CPU time of this process during the calls from `first` on, scaled up from
  // the calls for which it was read. Absent when there are none.
  std::optional<double> CpuSeconds(size_t first) const;
  // When the last call ended.
  std::chrono::nanoseconds last_end() const { return last_end_; }

 private:
  // One of the calls whose CPU time was read.
  struct CpuSample {
    size_t call = 0;
    double seconds = 0;
  };

  Status Feed();

  Parts parts_;
  std::vector<double> seconds_;
  std::vector<CpuSample> cpu_;
  std::chrono::nanoseconds last_end_{0};
  std::chrono::nanoseconds next_cpu_{0};
};

}  // namespace mete
