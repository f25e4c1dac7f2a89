// A cluster, a metric history and a stand-in for the analysis, for tests.
#pragma once

#include <algorithm>
#include <numeric>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"
#include "tests/fakes/fake_metric_history.h"
#include "watch/watch_round.h"

namespace mete {

// Mean and maximum, and a period of ten steps where the maximum exceeds twice
// the mean: enough to see that results arrive.
inline SeriesAnalysis TestAnalysis(const TimeSeries& series) {
  SeriesAnalysis analysis;
  if (series.values.empty()) return analysis;
  double sum = std::accumulate(series.values.begin(), series.values.end(), 0.0);
  SeriesSummary summary{.count = series.values.size(),
                        .mean = sum / static_cast<double>(series.values.size()),
                        .max = *std::ranges::max_element(series.values)};
  summary.median = summary.mean;
  summary.p95 = summary.max;
  if (summary.max > 2 * summary.mean) {
    analysis.periods.push_back({.length = Seconds(10), .confidence = 0.9});
  }
  analysis.summary = summary;
  return analysis;
}

inline Result<JobAnalysis> TestJobAnalysis(const AnalyzeJobRequest& request) {
  JobAnalysis job;
  const JobSeries& series = request.series;
  for (const auto& [name, member] : MembersOfJob()) {
    const std::optional<TimeSeries>& one = series.*member;
    if (one) job.series.push_back({std::string(name), TestAnalysis(*one)});
  }
  if (series.cpu) job.sizing.cpu = ResourceAdvice{.request = 1, .limit = 2};
  for (const auto& event : request.events.out_of_memory) {
    job.sizing.notes.push_back("out of memory at " + FormatBytes(event.limit));
  }
  return job;
}

inline Analyzers TestAnalyzers() {
  return {
      .job = TestJobAnalysis,
      .series = [](const AnalyzeRequest& request) -> Result<SeriesAnalysis> {
        return TestAnalysis(request.series);
      }};
}

// Queries are recognized by their metric alone.
inline WatchConfig TestConfig() {
  WatchConfig config{.window = Seconds(20), .step = Seconds(1)};
  auto add =
      [&config](
          SubjectKind of, const std::string& name,
          std::map<std::string, std::vector<std::string>, std::less<>> labels) {
        config.metrics.push_back(
            {.name = name,
             .of = of,
             .unit = "units",
             .sources = {{std::string(ToString(of)) + ":" + name + "[$range]",
                          std::move(labels)}}});
      };
  for (const char* name : {"cpu", "memory", "network_receive",
                           "network_transmit", "disk_read", "disk_write"}) {
    add(SubjectKind::kNode, name, {{"node", {"node"}}});
    add(SubjectKind::kPod, name,
        {{"namespace", {"namespace"}}, {"pod", {"pod"}}});
  }
  for (const char* name : {"gpu_utilization", "gpu_memory_copy", "gpu_memory",
                           "gpu_memory_total"}) {
    add(SubjectKind::kGpu, name,
        {{"node", {"node"}},
         {"gpu", {"gpu"}},
         {"model", {"model"}},
         {"namespace", {"namespace"}},
         {"pod", {"pod"}}});
  }
  add(SubjectKind::kGpuProcess, "process",
      {{"node", {"node"}},
       {"gpu", {"gpu"}},
       {"pid", {"pid"}},
       {"uid", {"uid"}}});
  return config;
}

inline auto Constant(double value) {
  return [value](size_t) { return value; };
}

}  // namespace mete
