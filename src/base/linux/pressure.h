// Pressure stall information: how much of the time tasks waited for a
// resource, of the whole machine or of one control group.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace mete {

// Shares lie between 0 and 1; `total` only grows, so that a probe can take its
// own average between two samples.
struct Stall {
  double last_10s = 0;
  double last_60s = 0;
  double last_300s = 0;
  std::chrono::nanoseconds total{0};
};

// Absent on kernels before 4.20 and where it is switched off (psi=0).
struct Pressure {
  std::optional<Stall> some;  // at least one task waited
  // All tasks waited at once. Means nothing for the CPU of the whole machine:
  // kernels tell none, or 0.
  std::optional<Stall> full;
};

struct Pressures {
  Pressure cpu;
  Pressure memory;
  Pressure io;
};

// The text of one file: /proc/pressure/memory, or memory.pressure of a
// version 2 group.
Pressure ParsePressure(std::string_view text);

}  // namespace mete
