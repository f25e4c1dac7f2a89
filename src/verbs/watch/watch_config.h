// What mete watch reads and how often: the configuration file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// What a series describes.
enum class SubjectKind { kNode, kPod, kGpu, kGpuProcess };

// A query and the labels that name its subject.
struct MetricQuery {
  std::string promql;  // $range stands for the range of rates
  // Part of the subject ("node", "namespace", "pod", "gpu", "model", "pid",
  // "uid") -> labels that may hold it, the first that is set counts.
  std::map<std::string, std::vector<std::string>, std::less<>> labels;
};

// One quantity of a kind of subject, from the first source that has it.
struct WatchedMetric {
  std::string name;  // "cpu"
  SubjectKind of = SubjectKind::kNode;
  bool counter = false;  // otherwise a gauge
  std::string unit;      // "cores", "bytes", "ratio", "bytes_per_second"
  std::vector<MetricQuery> sources;
};

// The configuration.
struct WatchConfig {
  Seconds period = std::chrono::seconds(30);
  Seconds window = std::chrono::hours(1);
  Seconds step = std::chrono::seconds(15);
  Seconds range = std::chrono::minutes(1);
  double tolerance = 0.1;  // smaller changes are not written
  // Share of one core for analyses; the rest is postponed to later rounds.
  double analysis_share = 0.1;
  std::vector<WatchedMetric> metrics;
};

// Fails with kInvalidInput and file, line and reason. Rejects unknown keys, the
// rate of a gauge, a counter without rate, and a window of fewer than 8 steps.
Result<WatchConfig> ParseWatchConfig(const std::string& text,
                                     const std::string& file);
Result<WatchConfig> ReadWatchConfig(const std::filesystem::path& file);

// The configuration used without a file: examples/watch.yaml.
extern const std::string_view kWatchExample;
WatchConfig DefaultWatchConfig();

// "node", "pod", "gpu", "gpu_process".
std::string_view ToString(SubjectKind kind);

}  // namespace mete
