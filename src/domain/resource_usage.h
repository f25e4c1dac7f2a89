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

// What an application's run adds to a run.
struct ApplicationFigures {
  double seconds = 0;  // from start to end
  std::optional<int> exit_code;
  std::optional<int> signal;
  ResourceUsage usage;  // of all its processes, over the whole run
  // Of the whole machine meanwhile, others' work included.
  std::optional<double> energy_joules;
  std::string energy_source;
  std::string accounting;  // where that was read
  Sampling sampling;
  AppMetrics app_metrics;    // what it told through its hooks
  std::string samples_file;  // empty: not written
  std::string log_file;
  // What could not be applied or read, one sentence each.
  std::vector<std::string> notes;
};

}  // namespace mete
