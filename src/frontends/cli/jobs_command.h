// What the commands below `mete jobs` share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/services.h"
#include "cli/verb.h"

namespace mete {

// The queue as this machine sees it. Jobs of workers that are gone have been
// marked when it is handed out.
struct Queue {
  JobStore& store;
  std::string device_id;
};
Result<Queue> OpenQueue(Services& services);

// Runs the jobs of the queue until Ctrl-C, or until none waits; those it ran.
struct WorkOptions {
  uint64_t parallel = 1;
  bool until_empty = false;
};
Result<std::vector<Job>> WorkOff(Invocation& invocation, const Queue& queue,
                                 const WorkOptions& options);
void AddParallelFlag(Command command, uint64_t& parallel);

// Says how to start a worker when there is none. Best effort.
void WarnWithoutWorker(Invocation& invocation, const Queue& queue);

// Each adds its commands.
void AddJobsSubmit(Command jobs, Verbs& verbs);
void AddJobsLook(Command jobs, Verbs& verbs);    // list, show, logs, wait
void AddJobsChange(Command jobs, Verbs& verbs);  // cancel, resume
void AddJobsRun(Command jobs, Verbs& verbs);

// Looks until the job has ended, at most this long; the job as last seen. Fails
// with kInterrupted when `stop` is requested.
Result<Job> AwaitEnd(Invocation& invocation, const Queue& queue,
                     const std::string& id, Seconds at_most);

}  // namespace mete
