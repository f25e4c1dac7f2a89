// The queue of this device: what is done with its jobs besides running them.
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

// The queue as this machine sees it. Borrows what it was opened with.
struct Queue {
  JobStore& jobs;
  Clock& clock;
  std::string device_id;
};

// Jobs of workers that are gone have been marked when it is handed out.
Result<Queue> OpenQueue(JobStore& jobs, Host& host, Clock& clock);

// Looks until the job has ended, at most this long; the job as last seen. Fails
// with kInterrupted when `stop` is requested.
Result<Job> AwaitEnd(const Queue& queue, const std::string& id, Seconds at_most,
                     std::stop_token stop);

// Both take an id or the beginning of one and return at once: a worker ends a
// running job within a second.
Result<Job> CancelJob(JobStore& jobs, const std::string& id,
                      const Clock& clock);
Result<Job> ResumeJob(JobStore& jobs, const std::string& id);

// Looks after the queue until `stop` is requested, where no worker does.
void TendQueue(const Queue& queue, std::stop_token stop);

// The runs of a job, whole. Fails with kNotFound when one was removed.
Result<std::vector<Run>> FindJobRuns(const Job& job, RunStore& runs);

}  // namespace mete
