// What is measured when an application runs: resource usage, energy, GPUs and
// the metrics that the application reports itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/app_metrics.h"
#include "domain/service_details.h"
#include "machine/limits.h"
#include "machine/machine_sample.h"
#include "machine/resource_usage.h"
#include "support/units.h"

namespace mete {

// The state of a running workload and its machine at one moment.
struct UsageSample {
  Seconds at{0};  // since the start
  ResourceUsage usage;
  MachineSample machine;
};

// How regularly the samples were taken, and what taking them cost.
struct Sampling {
  double hertz = 0;  // as requested
  uint64_t taken = 0;
  uint64_t missed = 0;     // the machine was too busy to take them
  Seconds worst_delay{0};  // of a sample after its scheduled time
  Seconds own_cpu{0};      // CPU time that mete itself used meanwhile
};

// The use of the machine's GPUs during a run, all of them together.
struct GpuSummary {
  std::vector<std::string> names;
  std::optional<double> mean_utilization;  // 0 … 1
  std::optional<double> peak_utilization;
  std::optional<Bytes> peak_memory;  // in use by any process
  std::optional<Bytes> total_memory;
  std::optional<Bytes> application_peak_memory;
  std::optional<Joules> energy;
};

// What the run of an application adds to a run.
struct ApplicationDetails {
  // From start to end. Absent when the application was never started; then
  // everything else is empty, too.
  std::optional<Seconds> duration;
  std::optional<int> exit_code;
  std::optional<int> signal;
  ResourceUsage usage;  // of all its processes, over the whole run
  // Energy of the whole machine meanwhile, including other processes.
  std::optional<Joules> energy;
  std::string energy_source;
  std::optional<GpuSummary> gpu;
  std::string accounting;  // where the usage was read
  Sampling sampling;
  AppMetrics app_metrics;    // reported by the application through its hooks
  std::string samples_file;  // empty: not written
  std::string log_file;
  // One sentence for each limit that could not be applied and each value that
  // could not be read.
  std::vector<std::string> notes;
  // The limits that could not be applied. The run says nothing about them.
  std::vector<EnforcedLimit> missing_limits;
  // Only if it was a service in a mix of mete contend. Then `usage` and
  // `duration` are those of the window, over all instances.
  std::optional<ServiceDetails> service{};

  bool started() const { return duration.has_value(); }
};

}  // namespace mete
