// What a workload took from the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/units.h"

namespace mete {

// What the processor itself counts, in user space. Absent: it has no such
// counter, or the kernel does not let us have it.
struct HardwareCounts {
  std::optional<uint64_t> cycles;
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> cache_references;  // of the last level
  std::optional<uint64_t> cache_misses;      // of those
  std::optional<uint64_t> branch_misses;
};

// A probe that gives nothing here, and why.
struct AbsentProbe {
  std::string probe;  // "perf", "gpu", "tegrastats"
  std::string reason;
};

// Totals since the workload's start, of all its processes together; memory is
// what it holds now. Absent: cannot be read here.
struct ResourceUsage {
  std::optional<Seconds> cpu;  // user and system
  std::optional<Seconds> cpu_user;
  std::optional<Seconds> cpu_system;
  // Quota periods that passed, and those in which it had to wait for the next.
  std::optional<uint64_t> periods;
  std::optional<uint64_t> throttled_periods;
  std::optional<Seconds> throttled;
  std::optional<Bytes> memory;
  std::optional<Bytes> memory_peak;
  std::optional<Bytes> swap;
  std::optional<uint64_t> minor_faults;
  std::optional<uint64_t> major_faults;
  std::optional<Bytes> disk_read;
  std::optional<Bytes> disk_written;
  std::optional<uint64_t> processes;
  std::optional<uint64_t> oom_kills;  // by the kernel, for the memory limit
  HardwareCounts hardware;
  // Shared pages divided by their users, so that none counts twice. Costly, so
  // that it may be a second old.
  std::optional<Bytes> proportional_memory;
  std::optional<Bytes> gpu_memory;  // on all GPUs
};

}  // namespace mete
