// What the commands below `mete jobs` share.
#pragma once

#include <string>

#include "cli/verb.h"

namespace mete {

// The queue as this machine sees it. Jobs of workers that are gone have been
// marked when it is handed out.
struct Queue {
  JobStore& store;
  std::string device_id;
};
Result<Queue> OpenQueue(Services& services);

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
