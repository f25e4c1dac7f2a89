// Analyzes the usage of every node, pod and GPU.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/analyze_job.h"
#include "watch/usage.h"
#include "watch/watch_config.h"

namespace mete {

// The analysis of one node, pod or GPU. `job.series` are the metrics that the
// analysis knows; `others` are further metrics of the configuration.
struct SubjectAnalysis {
  JobAnalysis job;
  std::vector<NamedAnalysis> others;

  // Null if nothing was measured under this name.
  const SeriesAnalysis* Find(std::string_view name) const;
  // The largest value. Absent if nothing was measured.
  std::optional<double> MaxOf(std::string_view name) const;
};

// The analyses of one round. Null: the first analysis of this subject was
// postponed to a later round.
using AnalysisResult = std::shared_ptr<const SubjectAnalysis>;
struct UsageAnalysis {
  std::map<std::string, AnalysisResult> nodes;
  std::map<PodKey, AnalysisResult> pods;
  std::map<GpuKey, AnalysisResult> gpus;
  size_t postponed = 0;  // analyses that were due
};

// AnalyzeJob and AnalyzeSeries, or stand-ins for tests. Called by several
// threads at once.
struct Analyzers {
  std::function<Result<JobAnalysis>(const AnalyzeJobRequest&)> job;
  std::function<Result<SeriesAnalysis>(const AnalyzeRequest&)> series;
};

// What else is known about pods.
struct PodFacts {
  std::map<PodKey, JobEvents> events;
  std::map<PodKey, std::vector<GpuKey>> gpus;  // that they use
};

class AnalysisMemory;

// How to analyze.
struct AnalyzeUsageRequest {
  const WatchConfig& config;
  const Usage& usage;
  const PodFacts& facts;
  double now = 0;  // seconds since 1970-01-01 UTC
  size_t threads = 1;
  // False once there is no more time in this round. Empty: no limit. Called by
  // several threads.
  std::function<bool()> time_left;
};

// Takes from `memory` what hardly changed. When the time is up, subjects keep
// their earlier analysis, or have none yet; those that waited longest come
// first in the next round, and each round analyzes at least one. Fails as the
// analysis does, with the name of the subject.
Result<UsageAnalysis> AnalyzeUsage(const AnalyzeUsageRequest& request,
                                   const Analyzers& analyzers,
                                   AnalysisMemory& memory);

}  // namespace mete
