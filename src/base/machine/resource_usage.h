// Resources used by a workload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/units.h"

namespace mete {

// Hardware event counts in user space. Absent: the processor has no such
// counter, or the kernel denies access.
struct HardwareCounts {
  std::optional<uint64_t> cycles;
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> cache_references;  // last-level cache
  std::optional<uint64_t> cache_misses;      // of these references
  std::optional<uint64_t> branch_misses;
};

// A probe that does not work here, and why.
struct AbsentProbe {
  std::string probe;  // "perf", "gpu", "tegrastats"
  std::string reason;
};

// Totals since the start of the workload over all its processes; memory is the
// current value. Absent: cannot be read here.
struct ResourceUsage {
  std::optional<Seconds> cpu;  // user and system
  std::optional<Seconds> cpu_user;
  std::optional<Seconds> cpu_system;
  // Quota periods that passed, and those in which the quota was used up.
  std::optional<uint64_t> periods;
  std::optional<uint64_t> throttled_periods;
  std::optional<Seconds> throttled;
  std::optional<Bytes> memory;
  std::optional<Bytes> memory_peak;
  // What the memory consists of. For a whole run, the most of each at any
  // sample; the three need not belong to the same moment.
  std::optional<Bytes> memory_anonymous;  // with tmpfs and shared memory
  std::optional<Bytes> memory_file;       // pages of files on storage
  std::optional<Bytes> memory_kernel;     // page tables, sockets, slabs
  // Of the largest process, with file pages that another cgroup had read
  // before, which are not part of the memory of a cgroup.
  std::optional<Bytes> resident_peak;
  std::optional<Bytes> swap;
  std::optional<uint64_t> minor_faults;
  std::optional<uint64_t> major_faults;
  std::optional<Bytes> disk_read;
  std::optional<Bytes> disk_written;
  // Only if the application has its own network, as a container has.
  std::optional<Bytes> network_received;
  std::optional<Bytes> network_sent;
  std::optional<uint64_t> processes;
  std::optional<uint64_t> oom_kills;  // by the kernel, at the memory limit
  HardwareCounts hardware;
  // With shared pages divided by their users, so that no page counts twice.
  // Expensive to read: the highest value seen, and when (since the start).
  // Absent if it was not seen near the peak.
  std::optional<Bytes> proportional_memory;
  std::optional<Seconds> proportional_at;
  std::optional<Bytes> gpu_memory;  // on all GPUs
};

}  // namespace mete
