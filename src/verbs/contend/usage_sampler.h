// Samples the resource usage of services once a second while they are loaded.
#pragma once

#include <stop_token>
#include <thread>
#include <vector>

#include "contend/running_service.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {

// The usage of one service at one moment.
struct ServiceSample {
  Seconds at{0};  // since the start of the window
  ResourceUsage usage;
};

// Samples from its creation, at 0 s, 1 s, …, to the end of the window, on a
// thread of its own.
class UsageSampler {
 public:
  struct Request {
    std::vector<RunningService*> services;
    Seconds window{0};
    Seconds period{1};
  };

  // The services and the clock must outlive the sampler.
  UsageSampler(Request request, Clock& clock);

  // Ends the sampling; one list of samples for each service.
  std::vector<std::vector<ServiceSample>> Finish();

 private:
  void Sample(std::stop_token stop);
  void Look();

  Request request_;
  Clock& clock_;
  std::chrono::nanoseconds start_;
  std::vector<std::vector<ServiceSample>> samples_;
  std::jthread thread_;
};

// The use of one instance between its first and its last sample. Absent with
// fewer than two samples, and what was not readable in both.
struct UsageRate {
  std::optional<double> cpu_cores;
  std::optional<double> cache_references_per_s;
  std::optional<double> cache_misses_per_s;
  std::optional<double> page_faults_per_s;
  std::optional<double> memory_bytes;  // the largest of all samples
};
UsageRate UsageBetween(const std::vector<ServiceSample>& samples);

}  // namespace mete
