#include "measure/repeat_summary.h"

#include <algorithm>
#include <functional>

#include "domain/app_metrics_json.h"
#include "domain/run_json.h"
#include "stats/quantile.h"
#include "support/json.h"

namespace mete {
namespace {

using Runs = std::vector<const Run*>;
using RunMetric = std::function<std::optional<double>(const Run&)>;

std::optional<ValueSummary> Summarise(const Runs& runs,
                                      const RunMetric& metric) {
  std::vector<double> values;
  for (const Run* run : runs) {
    if (auto value = metric(*run)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted = Sorted(values);
  return ValueSummary{.runs = sorted.size(),
                      .p50 = *QuantileOfSorted(sorted, 0.5),
                      .min = sorted.front(),
                      .max = sorted.back(),
                      .interval = QuantileInterval(sorted, {})};
}

std::optional<double> Count(const std::optional<Bytes>& bytes) {
  if (!bytes) return std::nullopt;
  return static_cast<double>(bytes->count);
}

std::optional<double> Count(const std::optional<Seconds>& time) {
  if (!time) return std::nullopt;
  return time->count();
}

std::optional<double> Count(const std::optional<Joules>& energy) {
  if (!energy) return std::nullopt;
  return energy->count;
}

// Of the whole process. A network's own CPU time covers the timed inferences.
std::optional<double> GetCpu(const Run& run) {
  if (run.network()) {
    return run.process() ? Count(run.process()->usage.cpu) : std::nullopt;
  }
  return Count(run.cpu_time);
}

std::optional<double> GetLatency(const Run& run) {
  if (!run.network() || !run.network()->latency) return std::nullopt;
  return run.network()->latency->p50.count();
}

std::optional<double> GetThroughput(const Run& run) {
  return run.network() ? run.network()->throughput : std::nullopt;
}

std::optional<double> GetCores(const Run& run) {
  const ApplicationDetails* process = run.process();
  auto cpu = GetCpu(run);
  if (!process || !cpu) return std::nullopt;
  // Also true when the duration is absent, which compares less than any value.
  if (process->duration <= Seconds(0)) return std::nullopt;
  return *cpu / process->duration->count();
}

std::optional<double> GetThrottled(const Run& run) {
  if (!run.process()) return std::nullopt;
  const ResourceUsage& usage = run.process()->usage;
  if (usage.periods.value_or(0) == 0 || !usage.throttled_periods) {
    return std::nullopt;
  }
  return static_cast<double>(*usage.throttled_periods) /
         static_cast<double>(*usage.periods);
}

// A value that only runs of processes have.
RunMetric Of(
    std::function<std::optional<double>(const ApplicationDetails&)> get) {
  return [get](const Run& run) -> std::optional<double> {
    if (!run.process()) return std::nullopt;
    return get(*run.process());
  };
}

RunMetric OfMetric(const std::string& name,
                   std::optional<double> AppMetric::*metric) {
  return Of([=](const ApplicationDetails& results) -> std::optional<double> {
    auto found = results.app_metrics.find(name);
    if (found == results.app_metrics.end()) return std::nullopt;
    return found->second.*metric;
  });
}

std::map<std::string, MetricSummary> SummariseMetrics(const Runs& runs) {
  std::map<std::string, MetricSummary> metrics;
  for (const Run* run : runs) {
    if (!run->application()) continue;
    for (const auto& [name, metric] : run->application()->app_metrics) {
      MetricSummary& summary = metrics[name];
      summary.kind = metric.kind;
      summary.count += metric.count;
      summary.dropped += metric.dropped;
    }
  }
  for (auto& [name, summary] : metrics) {
    summary.rate_hz = Summarise(runs, OfMetric(name, &AppMetric::rate_hz));
    summary.p50 = Summarise(runs, OfMetric(name, &AppMetric::p50));
    summary.p95 = Summarise(runs, OfMetric(name, &AppMetric::p95));
    summary.p99 = Summarise(runs, OfMetric(name, &AppMetric::p99));
  }
  return metrics;
}

void Set(Json& json, const char* key,
         const std::optional<ValueSummary>& summary) {
  if (!summary) return;
  Json& entry = json[key];
  SetNumber(entry, "p50", summary->p50);
  SetNumber(entry, "min", summary->min);
  SetNumber(entry, "max", summary->max);
  if (summary->interval) {
    SetNumber(entry, "p50_low", summary->interval->low);
    SetNumber(entry, "p50_high", summary->interval->high);
  }
  entry["runs"] = summary->runs;
}

Json MetricToJson(const MetricSummary& summary) {
  Json json;
  json["kind"] = ToString(summary.kind);
  Set(json, "rate_hz", summary.rate_hz);
  Set(json, "p50", summary.p50);
  Set(json, "p95", summary.p95);
  Set(json, "p99", summary.p99);
  json["count"] = summary.count;
  json["dropped"] = summary.dropped;
  return json;
}

}  // namespace

RepeatSummary SummariseRepeats(const std::vector<Run>& runs) {
  RepeatSummary summary;
  for (const Run& run : runs) ++summary.outcomes[run.outcome.kind];
  for (OutcomeKind kind : {OutcomeKind::kCompleted, OutcomeKind::kFailed,
                           OutcomeKind::kTimedOut}) {
    summary.basis = kind;
    if (summary.outcomes.count(kind) > 0) break;
  }
  Runs counted;
  for (const Run& run : runs) {
    if (run.outcome.kind == summary.basis) counted.push_back(&run);
  }
  // The length of a run that was stopped says nothing.
  if (summary.basis != OutcomeKind::kTimedOut) {
    summary.seconds =
        Summarise(counted, Of([](const auto& f) { return Count(f.duration); }));
  }
  summary.latency_seconds = Summarise(counted, GetLatency);
  summary.throughput = Summarise(counted, GetThroughput);
  summary.cpu_seconds = Summarise(counted, GetCpu);
  summary.cpu_cores = Summarise(counted, GetCores);
  summary.peak_bytes =
      Summarise(counted, [](const Run& run) { return Count(run.peak_rss); });
  summary.throttled_ratio = Summarise(counted, GetThrottled);
  summary.read_bytes = Summarise(
      counted, Of([](const auto& f) { return Count(f.usage.disk_read); }));
  summary.written_bytes = Summarise(
      counted, Of([](const auto& f) { return Count(f.usage.disk_written); }));
  summary.energy_joules =
      Summarise(counted, Of([](const auto& f) { return Count(f.energy); }));
  summary.app_metrics = SummariseMetrics(counted);
  return summary;
}

std::vector<std::string> CommonRates(
    const std::vector<RepeatSummary>& summaries, size_t most) {
  std::map<std::string, size_t> reporting;  // applications, by rate
  for (const RepeatSummary& summary : summaries) {
    for (const auto& [name, metric] : summary.app_metrics) {
      bool rate = metric.kind == AppMetricKind::kRate && metric.rate_hz;
      if (rate) ++reporting[name];
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : reporting) names.push_back(name);
  std::ranges::stable_sort(names, [&](const auto& a, const auto& b) {
    return reporting[a] > reporting[b];
  });
  if (names.size() > most) names.resize(most);
  return names;
}

Json RepeatSummaryToJson(const RepeatSummary& summary) {
  Json json;
  json["outcomes"] = Json::object();
  for (const auto& [kind, count] : summary.outcomes) {
    json["outcomes"][std::string(ToString(kind))] = count;
  }
  json["basis"] = ToString(summary.basis);
  Set(json, "seconds", summary.seconds);
  Set(json, "latency_seconds", summary.latency_seconds);
  Set(json, "throughput", summary.throughput);
  Set(json, "cpu_seconds", summary.cpu_seconds);
  Set(json, "cpu_cores", summary.cpu_cores);
  Set(json, "peak_bytes", summary.peak_bytes);
  Set(json, "throttled_ratio", summary.throttled_ratio);
  Set(json, "read_bytes", summary.read_bytes);
  Set(json, "written_bytes", summary.written_bytes);
  Set(json, "energy_joules", summary.energy_joules);
  for (const auto& [name, metric] : summary.app_metrics) {
    json["app_metrics"][name] = MetricToJson(metric);
  }
  return json;
}

}  // namespace mete
