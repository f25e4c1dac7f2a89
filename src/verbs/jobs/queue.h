// Operations on the job queue of this device, except running the jobs.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "domain/job.h"
#include "domain/run.h"
#include "ports/host.h"
#include "ports/job_store.h"
#include "ports/run_store.h"
#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The job queue of one device. Borrows the store and the clock.
struct Queue {
  JobStore& jobs;
  Clock& clock;
  std::string device_id;
};

// Opens the queue of this machine and marks the jobs of dead workers as
// interrupted.
Result<Queue> OpenQueue(JobStore& jobs, Host& host, Clock& clock);

// Waits until the job has ended, but no longer than `at_most`, and returns its
// latest state. Fails with kInterrupted when `stop` is requested.
Result<Job> AwaitEnd(const Queue& queue, const std::string& id, Seconds at_most,
                     std::stop_token stop);

// Both accept an id or a prefix of one and return at once. The worker ends a
// running job within a second.
Result<Job> CancelJob(JobStore& jobs, const std::string& id,
                      const Clock& clock);
Result<Job> ResumeJob(JobStore& jobs, const std::string& id);

// Marks the jobs of dead workers until `stop` is requested. For processes that
// run without a worker.
void TendQueue(const Queue& queue, std::stop_token stop);

// All runs of a job. Fails with kNotFound when one was removed.
Result<std::vector<Run>> FindJobRuns(const Job& job, RunStore& runs);

}  // namespace mete
