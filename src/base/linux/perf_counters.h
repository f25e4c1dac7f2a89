// Counts hardware events of a process and all its descendants
// (perf_event_open).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "linux/system_root.h"
#include "machine/resource_usage.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// An event by its numbers in <linux/perf_event.h>: PERF_TYPE_HARDWARE and
// PERF_COUNT_HW_INSTRUCTIONS, for example.
struct PerfEvent {
  uint32_t type = 0;
  uint64_t config = 0;
};

// One reading of a counter. The processor has fewer counters than can be
// requested; the kernel then multiplexes them, and each counts only part of the
// time.
struct PerfReading {
  uint64_t count = 0;
  uint64_t enabled = 0;  // nanoseconds it was enabled
  uint64_t running = 0;  // nanoseconds it was counting
};

// The count extrapolated to the whole time; absent when it never ran.
std::optional<uint64_t> ScaledCount(const PerfReading& reading);

// Counts one event, in user space only: everybody may do that up to
// perf_event_paranoid 2, so root and other users get the same numbers.
class PerfCounter {
 public:
  // Counts what `process` starts after this call, from its exec on, and all
  // descendants; not `process` itself. Fails with the errno of the kernel.
  static Result<PerfCounter> Open(const PerfEvent& event, pid_t process);

  // Totals of running and ended processes; also after all have ended.
  std::optional<uint64_t> Read() const;

 private:
  explicit PerfCounter(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

// The five events of HardwareCounts.
class PerfCounters {
 public:
  // Fails, with the reason, when the kernel refuses all events. An event that
  // this processor lacks is absent from the counts.
  static Result<PerfCounters> Open(const SystemRoot& root, pid_t process);

  HardwareCounts Read() const;

 private:
  PerfCounters() = default;
  std::optional<PerfCounter> cycles_;
  std::optional<PerfCounter> instructions_;
  std::optional<PerfCounter> cache_references_;
  std::optional<PerfCounter> cache_misses_;
  std::optional<PerfCounter> branch_misses_;
};

}  // namespace mete
