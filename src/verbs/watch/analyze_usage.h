// Analyzes the usage of every node, pod and GPU.
#pragma once

#include <functional>
#include <map>
#include <string>
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
};

// The analyses of one round.
struct UsageAnalysis {
  std::map<std::string, SubjectAnalysis> nodes;
  std::map<PodKey, SubjectAnalysis> pods;
  std::map<GpuKey, SubjectAnalysis> gpus;
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
};

// Takes from `memory` what hardly changed. Fails as the analysis does, with the
// name of the subject.
Result<UsageAnalysis> AnalyzeUsage(const AnalyzeUsageRequest& request,
                                   const Analyzers& analyzers,
                                   AnalysisMemory& memory);

}  // namespace mete
