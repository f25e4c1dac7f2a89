#include "domain/app_metrics_json.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "support/json.h"

namespace mete {
namespace {

constexpr std::array<std::pair<AppMetricKind, std::string_view>, 3> kKinds = {
    {{AppMetricKind::kTimer, "timer"},
     {AppMetricKind::kRate, "rate"},
     {AppMetricKind::kNumber, "number"}}};

Result<AppMetricKind> KindNamed(const std::string& word) {
  for (const auto& [kind, name] : kKinds) {
    if (name == word) return kind;
  }
  return Corrupt(fmt::format("'{}' is not timer, rate or number", word));
}

Json MetricToJson(const AppMetric& metric) {
  Json json;
  json["kind"] = ToString(metric.kind);
  SetText(json, "unit", metric.unit);
  SetNumber(json, "rate_hz", metric.rate_hz);
  SetNumber(json, "mean", metric.mean);
  SetNumber(json, "p50", metric.p50);
  SetNumber(json, "p95", metric.p95);
  SetNumber(json, "p99", metric.p99);
  json["count"] = metric.count;
  json["dropped"] = metric.dropped;
  return json;
}

Result<AppMetric> MetricFromJson(const Json& json) {
  ASSIGN_OR_RETURN(AppMetricKind kind,
                   KindNamed(json.at("kind").get<std::string>()));
  return AppMetric{.kind = kind,
                   .unit = GetText(json, "unit"),
                   .rate_hz = GetOptional<double>(json, "rate_hz"),
                   .mean = GetOptional<double>(json, "mean"),
                   .p50 = GetOptional<double>(json, "p50"),
                   .p95 = GetOptional<double>(json, "p95"),
                   .p99 = GetOptional<double>(json, "p99"),
                   .count = json.at("count").get<uint64_t>(),
                   .dropped = json.at("dropped").get<uint64_t>()};
}

Result<AppMetrics> ReadMetrics(const Json& json) {
  if (!json.is_object()) return Corrupt("not an object");
  AppMetrics metrics;
  for (const auto& item : json.items()) {
    ASSIGN_OR_RETURN(metrics[item.key()],
                     MetricFromJson(item.value()).While(item.key()));
  }
  return metrics;
}

}  // namespace

std::string_view ToString(AppMetricKind kind) {
  for (const auto& [candidate, name] : kKinds) {
    if (candidate == kind) return name;
  }
  CHECK(false) << "kind without a name: " << static_cast<int>(kind);
  return "";
}

Json AppMetricsToJson(const AppMetrics& metrics) {
  Json json = Json::object();
  for (const auto& [name, metric] : metrics) json[name] = MetricToJson(metric);
  return json;
}

Result<AppMetrics> AppMetricsFromJson(const Json& json) {
  return ReadJson("app metrics", [&] { return ReadMetrics(json); });
}

}  // namespace mete
