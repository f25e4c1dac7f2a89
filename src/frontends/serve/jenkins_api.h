// The predecessor's way in: it was a job of a Jenkins server, triggered by
// POST /job/<name>/buildWithParameters with app_name, app_args and
// app_docker_args. The same call puts the same work into mete's queue.
#pragma once

#include "serve/jobs_api.h"
#include "serve/router.h"

namespace mete {

// Parameters come in the query or as a form. Jenkins' own `token` parameter
// counts as this server's token.
void AddJenkinsRoutes(const JobsApi& api, Router& router);

}  // namespace mete
