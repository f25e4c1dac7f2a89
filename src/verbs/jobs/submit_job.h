// Adds a job to the queue of a device.
#pragma once

#include <string>

#include "domain/job.h"
#include "jobs/job_work.h"
#include "measure/run_id.h"
#include "ports/job_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// A job to submit.
struct JobRequest {
  std::string name;  // empty: named after the application
  JobWork work;      // relative paths start at the worker's folder
  std::string device_id;
  RunEntropy entropy;  // for the job id
};

// Returns the queued job. Fails as CheckSpec does, so that mistakes are
// reported now and not when the job runs.
Result<Job> SubmitJob(const JobRequest& request, JobStore& store,
                      const Clock& clock);

}  // namespace mete
