// Runs a workload under a sequence of limits until the search is done.
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
#include "ports/page_cache.h"
#include "ports/run_store.h"
#include "ports/sweep_store.h"
#include "support/result.h"
#include "sweep/sweep_plan.h"

namespace mete {

// A sweep to run or to resume.
struct SweepRequest {
  // A new sweep with its plan, or an interrupted one with its points so far.
  Sweep sweep;
  // The application to run. Limits that are not swept apply to every run.
  ApplicationSpec application;
  RunContext context;
  std::filesystem::path runs_folder;  // holds one folder per run id
};

// The dependencies of RunSweep, borrowed for the duration of a call.
struct RunSweepDependencies {
  RunStore& runs;
  SweepStore& sweeps;
  PageCache& page_cache;
  const ApplicationDependencies& platform;
};

// A sweep and whether it could be stored.
struct SweepResult {
  Sweep sweep;
  Status stored;  // whether the sweep and all its runs are in the store
};

// A cold sweep learns from its first run which files the workload uses, and
// repeats that run with these files evicted. Containers cannot start cold: then
// the sweep becomes a warm one.
// Looks for other users of the CPUs before the first run; a warning becomes a
// note of the sweep. Stores each run, and the sweep with it, as soon as the run
// ends. Fails when
// the workload cannot be started or a limit cannot be set. The sweep ends
// unfinished when `stop` is requested or when a run or the sweep cannot be
// stored.
Result<SweepResult> RunSweep(SweepRequest request,
                             const RunSweepDependencies& dependencies,
                             const ProgressLines& lines, std::stop_token stop);

// The environment variables that workloads of the Edge Benchmarking Framework
// read: MEM_LIMIT in mebibytes, CPU_QUOTA in microseconds per period of 100 ms.
std::map<std::string, std::string> LimitVariables(const PointLimits& limits);

// Records the result of a run under its limits.
SweepPoint MakeSweepPoint(const PointLimits& limits, const Run& run);

// Decides if a run that worked was also fast enough, compared with the runs so
// far.
void JudgeSpeed(const SweepPlan& plan, const std::vector<SweepPoint>& before,
                SweepPoint& point);

// The default timeout of a run: ten times the slowest successful run, scaled to
// the CPU limit, or a little more than the plan's slowdown allows, whichever is
// shorter. Absent before the first successful run.
std::optional<Seconds> PatienceFor(const SweepPlan& plan,
                                   const PointLimits& limits,
                                   const std::vector<SweepPoint>& points);

}  // namespace mete
