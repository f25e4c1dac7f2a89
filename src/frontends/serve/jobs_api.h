// The job queue over HTTP: POST, GET and DELETE on /api/v1/jobs, and the output
// of a job as server-sent events. docs/reference/http.md describes it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "domain/job.h"
#include "jobs/job_work.h"
#include "measure/run_id.h"
#include "ports/job_store.h"
#include "serve/access.h"
#include "serve/router.h"
#include "support/clock.h"

namespace mete {

// Dependencies of the job routes. Borrowed parts must outlive the server. The
// store is used from several threads.
struct JobsApi {
  JobStore& jobs;
  Clock& clock;
  std::string device_id;  // owner of the queue
  AccessRule access;
  bool allow_privileged = false;  // jobs may request privileges
  bool images_only = false;       // jobs may be images and networks only
  bool other_user = false;        // commands run as another user than mete
  // Files and folders that only privileged jobs may mount.
  std::vector<std::filesystem::path> private_paths{};
  std::function<RunEntropy()> entropy;
};

void AddJobRoutes(const JobsApi& api, Router& router);

// Queues a job from a client with this role. Rejects privileged options unless
// the server was started with --allow-privileged and the client is an admin.
Result<Job> SubmitExternalJob(const JobsApi& api, Role role,
                              const std::string& name, JobWork work);

}  // namespace mete
