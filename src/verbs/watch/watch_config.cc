#include "watch/watch_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "support/file.h"
#include "support/text.h"
#include "support/yaml.h"

namespace mete {
namespace {

constexpr std::array kSubjectKinds = {SubjectKind::kNode, SubjectKind::kPod,
                                      SubjectKind::kGpu,
                                      SubjectKind::kGpuProcess};

Result<SubjectKind> ParseSubjectKind(const std::string& text) {
  for (SubjectKind kind : kSubjectKinds) {
    if (text == ToString(kind)) return kind;
  }
  return InvalidInput(
      fmt::format("'{}' is not node, pod, gpu or gpu_process", text));
}

Result<bool> ParseMetricKind(const std::string& text) {
  if (text == "counter") return true;
  if (text == "gauge") return false;
  return InvalidInput(fmt::format("'{}' is not gauge or counter", text));
}

Result<Seconds> ParsePositive(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds time, ParseDuration(text));
  if (time < Seconds(0.1)) return InvalidInput("must be at least 100ms");
  return time;
}

Result<double> ParseShare(const std::string& text) {
  ASSIGN_OR_RETURN(double share, ParseRatio(text));
  if (share <= 0) return InvalidInput("must be positive");
  return share;
}

// The parts that name a subject of this kind.
std::vector<std::string> RequiredParts(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kNode:
      return {"node"};
    case SubjectKind::kPod:
      return {"namespace", "pod"};
    case SubjectKind::kGpu:
      return {"node", "gpu"};
    case SubjectKind::kGpuProcess:
      return {"node", "gpu", "pid"};
  }
  return {};
}

YamlTaker TakeAlternatives(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    if (value.kind != YamlValue::Kind::kText || value.text.empty()) {
      return InvalidInput("expected the name of a label");
    }
    target.clear();
    for (std::string& name : SplitAt(value.text, '|')) {
      target.push_back(std::move(name));
    }
    return {};
  };
}

YamlTaker TakeLabels(MetricQuery& query) {
  return [&query](const YamlValue& value) -> Status {
    YamlKeys keys;
    for (const char* part :
         {"node", "namespace", "pod", "gpu", "model", "pid", "uid"}) {
      keys.emplace_back(part, TakeAlternatives(query.labels[part]));
    }
    return ReadYamlMap(value, keys, "labels.");
  };
}

Result<MetricQuery> ReadMetricQuery(const YamlValue& block) {
  MetricQuery query;
  RETURN_IF_ERROR(ReadYamlMap(block, {{"query", TakeText(query.promql)},
                                      {"labels", TakeLabels(query)}}));
  if (query.promql.empty()) return block.Fail("a source requires a query");
  std::erase_if(query.labels,
                [](const auto& label) { return label.second.empty(); });
  return query;
}

YamlTaker TakeSources(std::vector<MetricQuery>& sources) {
  return [&sources](const YamlValue& list) -> Status {
    if (list.kind != YamlValue::Kind::kList) {
      return InvalidInput("expected a list");
    }
    for (const YamlValue& block : list.items) {
      ASSIGN_OR_RETURN(MetricQuery query, ReadMetricQuery(block));
      sources.push_back(std::move(query));
    }
    return {};
  };
}

bool HasRate(const std::string& promql) {
  for (const char* function : {"rate(", "increase(", "delta("}) {
    if (promql.find(function) != std::string::npos) return true;
  }
  return false;
}

// Alnair took the rate of container_memory_usage_bytes, a gauge, and called the
// growth of memory its size.
Status CheckSource(const YamlValue& block, const WatchedMetric& metric,
                   const MetricQuery& query) {
  if (!metric.counter && HasRate(query.promql)) {
    return block.Fail(fmt::format(
        "{} is a gauge, so it has no rate; remove rate() or set kind: counter",
        metric.name));
  }
  if (metric.counter && !HasRate(query.promql)) {
    return block.Fail(
        fmt::format("{} is a counter; its query requires rate()", metric.name));
  }
  for (const std::string& part : RequiredParts(metric.of)) {
    if (query.labels.contains(part)) continue;
    return block.Fail(fmt::format("{} of a {} requires labels: {{{}: …}}",
                                  metric.name, ToString(metric.of), part));
  }
  return {};
}

Result<WatchedMetric> ReadMetric(const YamlValue& block) {
  WatchedMetric metric;
  RETURN_IF_ERROR(
      ReadYamlMap(block, {{"name", TakeText(metric.name)},
                          {"of", TakeText(ParseSubjectKind, metric.of)},
                          {"kind", TakeText(ParseMetricKind, metric.counter)},
                          {"unit", TakeText(metric.unit)},
                          {"sources", TakeSources(metric.sources)}}));
  if (metric.name.empty()) return block.Fail("a metric requires a name");
  if (metric.sources.empty()) return block.Fail("a metric requires sources");
  for (const MetricQuery& query : metric.sources) {
    RETURN_IF_ERROR(CheckSource(block, metric, query));
  }
  return metric;
}

YamlTaker TakeMetrics(std::vector<WatchedMetric>& metrics) {
  return [&metrics](const YamlValue& list) -> Status {
    if (list.kind != YamlValue::Kind::kList) {
      return InvalidInput("expected a list");
    }
    std::set<std::pair<SubjectKind, std::string>> names;
    for (const YamlValue& block : list.items) {
      ASSIGN_OR_RETURN(WatchedMetric metric, ReadMetric(block));
      if (!names.emplace(metric.of, metric.name).second) {
        return block.Fail(fmt::format("{} of a {} is listed twice", metric.name,
                                      ToString(metric.of)));
      }
      metrics.push_back(std::move(metric));
    }
    return {};
  };
}

}  // namespace

std::string_view ToString(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kNode:
      return "node";
    case SubjectKind::kPod:
      return "pod";
    case SubjectKind::kGpu:
      return "gpu";
    case SubjectKind::kGpuProcess:
      return "gpu_process";
  }
  return "";
}

Result<WatchConfig> ParseWatchConfig(const std::string& text,
                                     const std::string& file) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file));
  WatchConfig config;
  RETURN_IF_ERROR(ReadYamlMap(
      root, {{"period", TakeText(ParsePositive, config.period)},
             {"window", TakeText(ParsePositive, config.window)},
             {"step", TakeText(ParsePositive, config.step)},
             {"range", TakeText(ParsePositive, config.range)},
             {"tolerance", TakeText(ParseRatio, config.tolerance)},
             {"analysis_share", TakeText(ParseShare, config.analysis_share)},
             {"metrics", TakeMetrics(config.metrics)}}));
  if (config.window < 8 * config.step) {
    return InvalidInput(fmt::format(
        "{}: window must be at least 8 steps, or nothing can be analyzed",
        file));
  }
  if (config.metrics.empty()) {
    return InvalidInput(fmt::format(
        "{}: no metrics; mete watch --example prints a complete file", file));
  }
  return config;
}

Result<WatchConfig> ReadWatchConfig(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  return ParseWatchConfig(text, file.string());
}

WatchConfig DefaultWatchConfig() {
  auto config = ParseWatchConfig(std::string(kWatchExample), "watch.yaml");
  CHECK(config.ok()) << config.error().message();
  return *std::move(config);
}

}  // namespace mete
