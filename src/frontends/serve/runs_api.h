// Results over HTTP: stored runs, and the profile, samples and report of a job.
// docs/reference/http.md describes it.
#pragma once

#include "ports/job_store.h"
#include "ports/run_store.h"
#include "serve/access.h"
#include "serve/router.h"

namespace mete {

// Dependencies of the routes. Borrowed parts must outlive the server. `runs` is
// used by one request at a time and by nothing else.
struct RunsApi {
  JobStore& jobs;
  RunStore& runs;
  AccessRule access;
};

void AddRunRoutes(const RunsApi& api, Router& router);

}  // namespace mete
