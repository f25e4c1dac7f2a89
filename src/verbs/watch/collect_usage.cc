#include "watch/collect_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace mete {
namespace {

// "90s", as PromQL writes durations.
std::string RangeText(Seconds range) {
  return fmt::format("{}ms", std::llround(range.count() * 1000));
}

std::string FillIn(std::string promql, const std::string& range) {
  static constexpr std::string_view kPlace = "$range";
  for (size_t at = promql.find(kPlace); at != std::string::npos;
       at = promql.find(kPlace, at + range.size())) {
    promql.replace(at, kPlace.size(), range);
  }
  return promql;
}

// The part of the subject that the series names; "" without any.
const std::string& Part(const MetricQuery& query, const HistorySeries& series,
                        std::string_view part) {
  static const std::string kNone;
  auto labels = query.labels.find(part);
  if (labels == query.labels.end()) return kNone;
  for (const std::string& label : labels->second) {
    const std::string& value = series.Label(label);
    if (!value.empty()) return value;
  }
  return kNone;
}

TimeSeries ToTimeSeries(HistorySeries series) {
  TimeSeries plain;
  plain.times.reserve(series.times.size());
  for (WallTime time : series.times) {
    plain.times.push_back(Seconds(time.time_since_epoch()).count());
  }
  plain.values = std::move(series.values);
  return plain;
}

// Puts the series of one query where they belong. A subject that an earlier
// source described keeps that.
class UsageBuilder {
 public:
  UsageBuilder(Usage& usage, const NodeNaming& node_name)
      : usage_(usage), node_name_(node_name) {}

  void Take(const WatchedMetric& metric, const MetricQuery& query,
            HistorySeries series) {
    switch (metric.of) {
      case SubjectKind::kNode:
        return TakeNode(metric, query, std::move(series));
      case SubjectKind::kPod:
        return TakePod(metric, query, std::move(series));
      case SubjectKind::kGpu:
        return TakeGpu(metric, query, std::move(series));
      case SubjectKind::kGpuProcess:
        return TakeProcess(query, series);
    }
  }

 private:
  static void Put(SeriesByName& place, const std::string& name,
                  HistorySeries series) {
    place.try_emplace(name, ToTimeSeries(std::move(series)));
  }

  void TakeNode(const WatchedMetric& metric, const MetricQuery& query,
                HistorySeries series) {
    std::string node = node_name_(Part(query, series, "node"));
    if (node.empty()) return;
    Put(usage_.nodes[node], metric.name, std::move(series));
  }

  void TakePod(const WatchedMetric& metric, const MetricQuery& query,
               HistorySeries series) {
    PodKey pod{Part(query, series, "namespace"), Part(query, series, "pod")};
    if (pod.name.empty()) return;
    Put(usage_.pods[pod], metric.name, std::move(series));
  }

  std::optional<GpuKey> GpuFor(const MetricQuery& query,
                               const HistorySeries& series) const {
    GpuKey key{node_name_(Part(query, series, "node")),
               Part(query, series, "gpu")};
    if (key.node.empty() || key.index.empty()) return std::nullopt;
    return key;
  }

  void TakeGpu(const WatchedMetric& metric, const MetricQuery& query,
               HistorySeries series) {
    auto key = GpuFor(query, series);
    if (!key) return;
    GpuUsage& gpu = usage_.gpus[*key];
    if (gpu.model.empty()) gpu.model = Part(query, series, "model");
    PodKey pod{Part(query, series, "namespace"), Part(query, series, "pod")};
    if (!pod.name.empty() && std::ranges::count(gpu.pods, pod) == 0) {
      gpu.pods.push_back(pod);
    }
    auto [place, fresh] = gpu.series.try_emplace(metric.name);
    // A GPU that pods use one after the other has one series for each.
    if (fresh || sources_[{*key, metric.name}] == &query) {
      TimeSeries more = ToTimeSeries(std::move(series));
      place->second.times.insert(place->second.times.end(), more.times.begin(),
                                 more.times.end());
      place->second.values.insert(place->second.values.end(),
                                  more.values.begin(), more.values.end());
      sources_[{*key, metric.name}] = &query;
    }
  }

  void TakeProcess(const MetricQuery& query, const HistorySeries& series) {
    auto key = GpuFor(query, series);
    if (!key || series.values.empty()) return;
    usage_.gpus[*key].processes.push_back(
        {.pid = Part(query, series, "pid"),
         .pod_uid = Part(query, series, "uid"),
         .memory = series.values.back()});
  }

  Usage& usage_;
  const NodeNaming& node_name_;
  std::map<std::pair<GpuKey, std::string>, const MetricQuery*> sources_;
};

bool IsRejection(const Error& error) {
  return error.code() == ErrorCode::kInvalidInput;
}

}  // namespace

std::vector<HistoryQuery> UsageQueries(const WatchConfig& config,
                                       WallTime now) {
  const auto step =
      std::chrono::duration_cast<std::chrono::milliseconds>(config.step);
  auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(
                   now.time_since_epoch()) /
               step;
  WallTime to{step * whole};
  auto points = static_cast<int64_t>(config.window / config.step);
  const std::string range = RangeText(config.range);
  std::vector<HistoryQuery> queries;
  for (const WatchedMetric& metric : config.metrics) {
    for (const MetricQuery& query : metric.sources) {
      // A process that has ended is not of interest.
      bool latest = metric.of == SubjectKind::kGpuProcess;
      queries.push_back({.promql = FillIn(query.promql, range),
                         .from = latest ? to : to - step * (points - 1),
                         .to = to,
                         .step = step});
    }
  }
  return queries;
}

Result<Usage> CollectUsage(const WatchConfig& config, MetricHistory& history,
                           const NodeNaming& node_name, WallTime now,
                           std::stop_token stop) {
  auto answers = history.Ask(UsageQueries(config, now), stop);
  Usage usage;
  UsageBuilder builder(usage, node_name);
  size_t at = 0;
  for (const WatchedMetric& metric : config.metrics) {
    for (const MetricQuery& query : metric.sources) {
      Result<HistorySet>& answer = answers[at++];
      if (!answer.ok() && !IsRejection(answer.error())) return answer.error();
      if (!answer.ok()) {
        usage.rejected.push_back(fmt::format("{} of a {}: {}", metric.name,
                                             ToString(metric.of),
                                             answer.error().message()));
        continue;
      }
      for (HistorySeries& series : *answer) {
        builder.Take(metric, query, std::move(series));
      }
    }
  }
  return usage;
}

}  // namespace mete
