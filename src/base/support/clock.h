// Time as a dependency: the system clock, or one that tests control.
#pragma once

#include <chrono>
#include <stop_token>

#include "support/units.h"

namespace mete {

// A monotonic clock for durations and a wall clock for time stamps.
// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Monotonic time since an arbitrary start; never decreases.
  virtual std::chrono::nanoseconds Now() const = 0;
  // Time of day, UTC.
  virtual std::chrono::system_clock::time_point Wall() const = 0;
  // CPU time used by all threads of this process.
  virtual Seconds ProcessCpu() const = 0;
  // Sleeps. Returns false immediately when `stop` is requested.
  virtual bool SleepFor(std::chrono::nanoseconds wait,
                        std::stop_token stop) = 0;
};

// CLOCK_MONOTONIC, the realtime clock and CLOCK_PROCESS_CPUTIME_ID.
class SystemClock final : public Clock {
 public:
  std::chrono::nanoseconds Now() const override;
  std::chrono::system_clock::time_point Wall() const override;
  Seconds ProcessCpu() const override;
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override;
};

// "2024-05-01T12:30:00Z" and back.
std::string FormatUtc(std::chrono::system_clock::time_point time);
Result<std::chrono::system_clock::time_point> ParseUtc(std::string_view text);

}  // namespace mete
