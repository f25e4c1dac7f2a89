// Proportional set size (PSS) of a set of processes, read now and then.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "linux/system_root.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {

// The kernel walks all pages to compute PSS: milliseconds per gigabyte, during
// which the application cannot map memory. So it is read at most once a second
// and for at most a thousandth of the time; sooner if memory grows, but never
// for more than a twentieth of the time. Not thread-safe.
class ProportionalMemory {
 public:
  // A value, and when it was read.
  struct Reading {
    Bytes bytes;
    std::chrono::nanoseconds at{0};  // since this object was made
    std::optional<Bytes> memory;     // other measure of memory at that moment
  };

  // `clock` must outlive this.
  ProportionalMemory(const SystemRoot& root, const Clock& clock)
      : root_(root), clock_(clock), start_(clock.Now()) {}

  using ProcessList = std::function<std::vector<pid_t>()>;
  // `memory` is the memory in use now, by a measure that is cheap to read.
  void LookIfDue(const ProcessList& processes, std::optional<Bytes> memory);
  void Look(const ProcessList& processes, std::optional<Bytes> memory);
  // The highest sum so far; absent before any process was found.
  const std::optional<Reading>& highest() const { return highest_; }
  // The highest sum if it was read near the peak: when `memory` was at least
  // nine tenths of `peak`, or if that is unknown.
  std::optional<Reading> NearPeak(std::optional<Bytes> peak) const;

 private:
  SystemRoot root_;
  const Clock& clock_;
  std::chrono::nanoseconds start_;
  std::optional<std::chrono::nanoseconds> next_;
  std::chrono::nanoseconds next_if_grown_{0};
  std::optional<Bytes> memory_;  // at the last look
  std::optional<Reading> highest_;
};

}  // namespace mete
