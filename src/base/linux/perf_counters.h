// Hardware events of a process and all its descendants, counted by the kernel
// (perf_event_open).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "machine/resource_usage.h"
#include "linux/system_root.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// As <linux/perf_event.h> names them: PERF_TYPE_HARDWARE and
// PERF_COUNT_HW_INSTRUCTIONS.
struct PerfEvent {
  uint32_t type = 0;
  uint64_t config = 0;
};

// What the kernel tells of one counter. The processor has fewer counters than
// can be asked for; then they take turns, and each counts only part of the
// time.
struct PerfReading {
  uint64_t count = 0;
  uint64_t enabled = 0;  // nanoseconds that should have been counted
  uint64_t running = 0;  // nanoseconds that were
};

// The count as it would be without turns; absent when it never had one.
std::optional<uint64_t> ScaledCount(const PerfReading& reading);

// Counts in user space only: that is allowed to everybody up to
// perf_event_paranoid 2, and so the same for root and for others.
class PerfCounter {
 public:
  // Counts what `process` starts from now on, from exec on, and whatever that
  // starts; not `process` itself. Fails with the errno of the kernel.
  static Result<PerfCounter> Open(const PerfEvent& event, pid_t process);

  // Totals of the living and the ended; also after the end of all.
  std::optional<uint64_t> Read() const;

 private:
  explicit PerfCounter(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

// The five events of HardwareCounts.
class PerfCounters {
 public:
  // Fails with one sentence when the kernel refuses them all; one that this
  // processor does not have is absent from the counts.
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
