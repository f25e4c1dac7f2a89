// Puts a job into the queue of a device.
#pragma once

#include <string>

#include "domain/job.h"
#include "jobs/job_work.h"
#include "measure/run_id.h"
#include "ports/job_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct JobRequest {
  std::string name;  // empty: the application's
  JobWork work;      // relative paths are below the folder of its worker
  std::string device_id;
  RunEntropy entropy;  // of the id
};

// The job as it is queued. Fails as CheckSpec does, so that what can be seen
// to be wrong now does not fail at night.
Result<Job> SubmitJob(const JobRequest& request, JobStore& store,
                      const Clock& clock);

}  // namespace mete
