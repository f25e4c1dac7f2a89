// What a workload took from the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/app_metrics.h"
#include "domain/machine_sample.h"
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

// One look at a running workload.
struct UsageSample {
  Seconds at{0};  // since the start
  ResourceUsage usage;
  MachineSample machine;
};

// How well the samples were taken.
struct Sampling {
  double hertz = 0;  // as asked for
  uint64_t taken = 0;
  uint64_t missed = 0;     // the machine was too busy to look
  Seconds worst_delay{0};  // of a sample behind its time
  Seconds own_cpu{0};      // CPU time mete itself took meanwhile
};

// The machine's GPUs during a run, all together.
struct GpuFigures {
  std::vector<std::string> names;
  std::optional<double> mean_utilization;  // 0 … 1
  std::optional<double> peak_utilization;
  std::optional<Bytes> peak_memory;  // in use, whoever used it
  std::optional<Bytes> total_memory;
  std::optional<Bytes> application_peak_memory;
  std::optional<double> joules;
};

// What an application's run adds to a run.
struct ApplicationFigures {
  double seconds = 0;  // from start to end
  std::optional<int> exit_code;
  std::optional<int> signal;
  ResourceUsage usage;  // of all its processes, over the whole run
  // Of the whole machine meanwhile, others' work included.
  std::optional<double> energy_joules;
  std::string energy_source;
  std::optional<GpuFigures> gpu;
  std::string accounting;  // where that was read
  Sampling sampling;
  AppMetrics app_metrics;    // what it told through its hooks
  std::string samples_file;  // empty: not written
  std::string log_file;
  // What could not be applied or read, one sentence each.
  std::vector<std::string> notes;
};

}  // namespace mete
