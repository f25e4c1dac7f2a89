// Combines all routes of `mete serve`.
#pragma once

#include "serve/jobs_api.h"
#include "serve/prediction_api.h"
#include "serve/router.h"
#include "serve/runs_api.h"
#include "serve/server_metrics.h"

namespace mete {

// `metrics` counts the requests and must outlive the router.
Router MakeApi(const JobsApi& jobs, const RunsApi& runs,
               const PredictionApi& prediction, ServerMetrics& metrics);

}  // namespace mete
