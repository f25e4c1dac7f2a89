// Turns a measured mix into rows of the table of contention, and into runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contend/measure_mix.h"
#include "domain/device.h"
#include "domain/mix_observation.h"
#include "domain/run.h"
#include "measure/run_id.h"

namespace mete {

// "fast x2 at 10/s, slow at 1/s"; the rates are those of one instance.
std::string DescribeTenants(const std::vector<Tenant>& tenants);

// Quantiles of times in seconds; absent without times.
RequestTimes SummarizeTimes(const std::vector<double>& seconds);

// One row for each tenant.
std::vector<MixObservation> SummarizeMix(const MixMeasurement& measured,
                                         const Device& device);

// What all runs of a campaign have in common.
struct ServiceRunContext {
  const Device& device;
  Environment environment;  // just before the mix
  std::string mete_version;
  std::string launcher;    // "process", "docker"
  std::string image{};     // of containers
  EngineVersion engine{};  // that runs containers
};

// One run for each tenant, of kind kService, that knows its co-runners.
std::vector<Run> MakeServiceRuns(const MixMeasurement& measured,
                                 const ServiceRunContext& context,
                                 const std::function<RunEntropy()>& draw);

}  // namespace mete
