// Pressure stall information (PSI): the share of time that tasks waited for a
// resource, on the whole machine or in one cgroup.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace mete {

// How long tasks stalled. Shares are between 0 and 1. `total` never decreases,
// so a probe can compute its own average between two samples.
struct Stall {
  double last_10s = 0;
  double last_60s = 0;
  double last_300s = 0;
  std::chrono::nanoseconds total{0};
};

// Pressure on one resource. Absent on kernels before 4.20 and with psi=0.
struct Pressure {
  std::optional<Stall> some;  // at least one task waited
  // All tasks waited at once. Meaningless for the CPU of the whole machine:
  // kernels report nothing or 0 there.
  std::optional<Stall> full;
};

// Pressure on each resource of a machine or cgroup.
struct Pressures {
  Pressure cpu;
  Pressure memory;
  Pressure io;
};

// Parses one file: /proc/pressure/memory, or memory.pressure of a v2 cgroup.
Pressure ParsePressure(std::string_view text);

}  // namespace mete
