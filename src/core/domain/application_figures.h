// What the runs of an application report beyond its resource usage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/app_metrics.h"
#include "machine/machine_sample.h"
#include "machine/resource_usage.h"
#include "support/units.h"

namespace mete {

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
