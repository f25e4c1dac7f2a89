#include "watch/profile_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/json.h"
#include "support/parse_number.h"

namespace mete {
namespace {

double FourDigits(double value) {
  if (!std::isfinite(value)) return 0;
  return ParseNumber<double>(fmt::format("{:.4g}", value)).value_or(value);
}

std::string UnitFor(const WatchConfig& config, SubjectKind of,
                    const std::string& name) {
  for (const WatchedMetric& metric : config.metrics) {
    bool gpu_of_pod = of == SubjectKind::kPod && metric.of == SubjectKind::kGpu;
    if (metric.name == name && (metric.of == of || gpu_of_pod)) {
      return metric.unit;
    }
  }
  return "";
}

Json PeriodToJson(const SeriesPeriod& period) {
  Json json;
  json["seconds"] = FourDigits(period.length.count());
  json["confidence"] = FourDigits(period.confidence);
  json["strength"] = FourDigits(period.strength);
  if (period.tentative) json["tentative"] = true;
  return json;
}

// The values themselves depend on the phase at the moment, so only what the
// next cycle brings is given.
Json ForecastToJson(const SeriesForecast& forecast) {
  Json json;
  json["horizon_seconds"] = FourDigits(
      forecast.step.count() * static_cast<double>(forecast.values.size()));
  json["mean"] = FourDigits(
      std::accumulate(forecast.values.begin(), forecast.values.end(), 0.0) /
      static_cast<double>(forecast.values.size()));
  json["peak"] = FourDigits(*std::ranges::max_element(forecast.values));
  if (!forecast.high.empty()) {
    json["peak_high"] = FourDigits(*std::ranges::max_element(forecast.high));
  }
  json["confidence"] = forecast.confidence;
  json["method"] = std::string(ToString(forecast.method));
  if (forecast.mase) json["mase"] = FourDigits(*forecast.mase);
  return json;
}

Json MetricToJson(const SeriesAnalysis& analysis, const std::string& unit) {
  Json json;
  if (!unit.empty()) json["unit"] = unit;
  const SeriesSummary& summary = *analysis.summary;
  json["mean"] = FourDigits(summary.mean);
  json["median"] = FourDigits(summary.median);
  json["p95"] = FourDigits(summary.p95);
  json["max"] = FourDigits(summary.max);
  if (!analysis.periods.empty()) {
    json["period"] = PeriodToJson(analysis.periods.front());
  }
  if (analysis.trend && analysis.trend->significant) {
    json["trend_per_hour"] = FourDigits(analysis.trend->per_second * 3600);
  }
  if (analysis.forecast && !analysis.forecast->values.empty()) {
    json["forecast"] = ForecastToJson(*analysis.forecast);
  }
  return json;
}

Json MetricsToJson(const WatchConfig& config, SubjectKind of,
                   const SubjectAnalysis& analysis) {
  Json metrics = Json::object();
  for (const auto* list : {&analysis.job.series, &analysis.others}) {
    for (const NamedAnalysis& named : *list) {
      if (!named.analysis.summary) continue;
      metrics[named.name] =
          MetricToJson(named.analysis, UnitFor(config, of, named.name));
    }
  }
  return metrics;
}

Json AdviceToJson(const ResourceAdvice& advice, const char* unit) {
  Json json;
  json["unit"] = unit;
  json["request"] = FourDigits(advice.request);
  json["limit"] = FourDigits(advice.limit);
  json["max"] = FourDigits(advice.peak);
  json["confidence"] = FourDigits(advice.confidence);
  return json;
}

Json SizingToJson(const RightSizing& sizing) {
  Json json = Json::object();
  if (sizing.cpu) json["cpu"] = AdviceToJson(*sizing.cpu, "cores");
  if (sizing.memory) json["memory"] = AdviceToJson(*sizing.memory, "bytes");
  if (!json.empty() && !sizing.notes.empty()) json["notes"] = sizing.notes;
  return json;
}

void AddKind(const KindOfJob& kind, Json& json) {
  json["kind"] = std::string(ToString(kind.kind));
  if (!kind.evidence.empty()) json["evidence"] = kind.evidence;
}

}  // namespace

Json ProfileToJson(const ProfileSource& source) {
  Json json;
  json["version"] = kProfileVersion;
  json["window_seconds"] = source.config.window.count();
  json["step_seconds"] = source.config.step.count();
  if (source.analysis != nullptr) {
    AddKind(source.analysis->job.kind, json);
    json["metrics"] = MetricsToJson(source.config, source.of, *source.analysis);
    Json sizing = SizingToJson(source.analysis->job.sizing);
    if (source.of == SubjectKind::kPod && !sizing.empty()) {
      json["sizing"] = std::move(sizing);
    }
  }
  if (source.trial) {
    json["trial"]["reason"] = source.trial->reason;
    json["trial"]["command"] = source.trial->command;
  }
  for (const auto& [index, analysis] : source.gpus) {
    Json& gpu = json["gpus"][index];
    AddKind(analysis->job.kind, gpu);
    gpu["metrics"] = MetricsToJson(source.config, SubjectKind::kGpu, *analysis);
  }
  return json;
}

}  // namespace mete
