// Converts the metrics of an application to JSON and back: `app_metrics` of a
// run.
#pragma once

#include <string_view>

#include "domain/app_metrics.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// "timer", "rate", "number".
std::string_view ToString(AppMetricKind kind);

// {"frame": {"kind", "unit", "rate_hz", "p50", "p95", "p99", "count",
// "dropped"}}. Absent values have no key; null is never written.
Json AppMetricsToJson(const AppMetrics& metrics);

// Fails with kCorrupt when a key is missing or has another type.
Result<AppMetrics> AppMetricsFromJson(const Json& json);

}  // namespace mete
