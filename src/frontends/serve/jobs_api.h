// The job queue over HTTP: POST, GET and DELETE on /api/v1/jobs, and what a job
// writes as server-sent events. docs/reference/http.md describes it.
#pragma once

#include <functional>
#include <string>

#include "domain/job.h"
#include "jobs/job_work.h"
#include "measure/run_id.h"
#include "ports/job_store.h"
#include "serve/access.h"
#include "serve/router.h"
#include "support/clock.h"

namespace mete {

// What the queue's routes need. Borrowed parts outlive the server; the store is
// used from several threads.
struct JobsApi {
  JobStore& jobs;
  Clock& clock;
  std::string device_id;  // whose queue it is
  AccessRule access;
  bool allow_privileged = false;  // may callers ask for it
  std::function<RunEntropy()> entropy;
};

void AddJobRoutes(const JobsApi& api, Router& router);

// Puts work that came from outside into the queue. Nobody gets more power over
// the machine than the server was started with.
Result<Job> SubmitExternalJob(const JobsApi& api, const std::string& name,
                              JobWork work);

}  // namespace mete
