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
#include "measure/application_dependencies.h"
#include "measure/prepare_application.h"
#include "measure/progress_lines.h"
#include "ports/run_store.h"
#include "ports/sweep_store.h"
#include "support/result.h"
#include "sweep/sweep_plan.h"

namespace mete {

struct SweepRequest {
  // New with its plan, or one that was broken off with the points it has.
  Sweep sweep;
  // What is run; limits that are not swept hold for every run.
  ApplicationSpec application;
  RunContext context;
  std::filesystem::path runs_folder;  // gets a folder by run id
};

// Borrowed for the length of a call.
struct RunSweepDependencies {
  RunStore& runs;
  SweepStore& sweeps;
  const ApplicationDependencies& platform;
};

struct SweepResult {
  Sweep sweep;
  Status stored;  // whether all its runs and itself are in the store
};

// Stores each run as soon as it is over, then the sweep with it. Fails when the
// workload cannot be started at all or a limit cannot be set. A request to stop
// ends it unfinished, and so does a run or a sweep that cannot be stored.
Result<SweepResult> RunSweep(SweepRequest request,
                             const RunSweepDependencies& dependencies,
                             const ProgressLines& lines, std::stop_token stop);

// The variables the predecessor's workloads look for: MEM_LIMIT in mebibytes,
// CPU_QUOTA in microseconds of a period of 100 ms.
std::map<std::string, std::string> LimitVariables(const PointLimits& limits);

// What a run says about its limits.
SweepPoint MakeSweepPoint(const PointLimits& limits, const Run& run);

// Unless told otherwise a run is given up when it takes ten times as long as
// the slowest that worked, for its share of the CPUs; absent: none worked yet.
std::optional<Seconds> PatienceFor(const PointLimits& limits,
                                   const std::vector<SweepPoint>& points);

}  // namespace mete
