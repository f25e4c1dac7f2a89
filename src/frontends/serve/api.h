// Everything `mete serve` answers, put together.
#pragma once

#include "serve/jobs_api.h"
#include "serve/prediction_api.h"
#include "serve/router.h"
#include "serve/server_metrics.h"

namespace mete {

// `metrics` counts its requests and outlives it.
Router MakeApi(const JobsApi& jobs, const PredictionApi& prediction,
               ServerMetrics& metrics);

}  // namespace mete
