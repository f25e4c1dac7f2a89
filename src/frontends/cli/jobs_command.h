// mete jobs: applications measured later, by a worker.
#pragma once

#include <cstdint>
#include <functional>

#include "cli/verb.h"
#include "jobs/queue.h"
#include "jobs/work_off.h"
#include "measure/run_id.h"

namespace mete {

// Borrowed while the command runs.
struct JobsDependencies {
  JobStore& jobs;
  Host& host;
  Clock& clock;
  std::function<Result<RunStore*>()> open_runs;  // of the jobs
  std::function<RunEntropy()> draw_entropy;
};

// `worker` is for `mete jobs run` alone.
void AddJobsCommand(Command root, Verbs& verbs,
                    Lazy<JobsDependencies> dependencies,
                    Lazy<WorkOffDependencies> worker);

// Shared with `mete serve`, which has a worker too.
void AddParallelFlag(Command command, uint64_t& parallel);
WorkerCallbacks WorkerTalkTo(Console& console);

}  // namespace mete
