// mete jobs: a queue of applications that a worker measures.
#pragma once

#include <cstdint>
#include <functional>

#include "cli/verb.h"
#include "jobs/queue.h"
#include "jobs/work_off.h"
#include "measure/network_process.h"
#include "measure/run_id.h"

namespace mete {

// Dependencies of `mete jobs`, borrowed while the command runs.
struct JobsDependencies {
  JobStore& jobs;
  Host& host;
  Clock& clock;
  std::function<Result<RunStore*>()> open_runs;  // of the jobs
  std::function<RunEntropy()> draw_entropy;
  NetworkCheck check_network{};
};

// Only `mete jobs run` uses `worker`.
void AddJobsCommand(Command root, Verbs& verbs,
                    Lazy<JobsDependencies> dependencies,
                    Lazy<WorkOffDependencies> worker);

// Also used by `mete serve`, which has a worker too.
void AddParallelFlag(Command command, uint64_t& parallel);
WorkerCallbacks WorkerTalkTo(Console& console);

}  // namespace mete
