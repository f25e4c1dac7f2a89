// The metrics of an application as JSON and back: `app_metrics` of a run.
#pragma once

#include <string_view>

#include "domain/app_metrics.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// "timer", "rate", "number".
std::string_view NameOf(AppMetricKind kind);

// {"frame": {"kind", "unit", "rate_hz", "p50", "p95", "p99", "count",
// "dropped"}}. What is absent in the metric is absent in the JSON, never null.
Json AppMetricsToJson(const AppMetrics& metrics);

// Fails with kCorrupt when a key is missing or holds another kind of value.
Result<AppMetrics> AppMetricsFromJson(const Json& json);

}  // namespace mete
