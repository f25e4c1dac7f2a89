// Runs a workload under one limit after the other until the search is over.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/sweep.h"
#include "measure/application_outside.h"
#include "measure/prepare_application.h"
#include "support/result.h"

namespace mete {

// The least a limit may be: below, container engines refuse it.
inline constexpr uint64_t kLeastMemory = 6 << 20;  // bytes
inline constexpr uint64_t kLeastMillicores = 10;   // a quota of 1000 us

struct SweepRequest {
  // New with its plan, or one that was broken off with the points it has.
  Sweep sweep;
  // What is run; limits that are not swept hold for every run.
  ApplicationSpec application;
  RunContext context;
  std::filesystem::path runs_folder;  // gets a folder by run id
};

// What is said and kept while it runs.
struct SweepTalk {
  std::function<void(const std::string&)> progress;
  std::function<void(const std::string&)> warn;
  // Each run as soon as it is over, then the sweep with it.
  std::function<Status(const Run&)> save_run;
  std::function<Status(const Sweep&)> save_sweep;
};

// Fails with kInvalidInput when a range runs upwards or below the least,
// nothing is swept, or a count is 0.
Status CheckPlan(const SweepPlan& plan);

// Fails when the workload cannot be started at all or a limit cannot be set. A
// stop ends it unfinished, with every point so far saved.
Result<Sweep> RunSweep(SweepRequest request, const ApplicationOutside& outside,
                       const SweepTalk& talk, std::stop_token stop);

// The variables the predecessor's workloads look for: MEM_LIMIT in mebibytes,
// CPU_QUOTA in microseconds of a period of 100 ms.
std::map<std::string, std::string> LimitVariables(const PointLimits& limits);

// What a run says about its limits.
SweepPoint PointOf(const PointLimits& limits, const Run& run);

// Unless told otherwise a run is given up when it takes ten times as long as
// the slowest that worked, for its share of the CPUs; absent: none worked yet.
std::optional<Seconds> PatienceFor(const PointLimits& limits,
                                   const std::vector<SweepPoint>& points);

}  // namespace mete
