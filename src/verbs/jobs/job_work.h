// The content of Job::work: what the job runs.
#pragma once

#include "domain/job.h"
#include "measure/application_spec.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The application a job runs, and whether it may be privileged.
struct JobWork {
  ApplicationSpec application;
  bool allow_privileged = false;
};

Json JobWorkToJson(const JobWork& work);
// Fails with kCorrupt when the JSON does not describe a JobWork.
Result<JobWork> JobWorkFromJson(const Json& json);

}  // namespace mete
