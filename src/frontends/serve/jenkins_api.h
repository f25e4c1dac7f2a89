// The API of WaAP, which ran as a job of a Jenkins server, triggered by POST
// /job/<name>/buildWithParameters with app_name, app_args and app_docker_args.
// The same call queues the same job in mete.
#pragma once

#include "serve/jobs_api.h"
#include "serve/router.h"

namespace mete {

// Accepts parameters in the query or as a form. Jenkins' own parameter `token`
// is accepted as this server's token.
void AddJenkinsRoutes(const JobsApi& api, Router& router);

}  // namespace mete
