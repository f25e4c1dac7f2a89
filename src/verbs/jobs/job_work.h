// What a job is to do, as its `work` holds it.
#pragma once

#include "domain/job.h"
#include "measure/application_spec.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

struct JobWork {
  ApplicationSpec application;
  bool allow_privileged = false;
};

Json JobWorkToJson(const JobWork& work);
// Fails with kCorrupt.
Result<JobWork> JobWorkFromJson(const Json& json);

}  // namespace mete
