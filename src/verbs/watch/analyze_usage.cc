#include "watch/analyze_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "watch/analysis_memory.h"

namespace mete {
namespace {

const JobMember* FindMember(std::string_view name) {
  const auto members = MembersOfJob();
  auto found = std::ranges::find(members, name, &JobMember::name);
  return found == members.end() ? nullptr : &*found;
}

// A subject to analyze and the place of its analysis.
struct AnalysisTask {
  std::string name;
  SeriesByName series;
  JobEvents events;
  SubjectAnalysis* result;
};

// Several GPUs of a pod as one series: shares are averaged, memory is summed,
// at each time.
TimeSeries MergeGpus(const std::vector<const TimeSeries*>& parts, bool sum) {
  std::map<double, std::pair<double, int>> totals;
  for (const TimeSeries* part : parts) {
    for (size_t i = 0; i < part->times.size(); ++i) {
      auto& [total, count] = totals[part->times[i]];
      total += part->values[i];
      ++count;
    }
  }
  TimeSeries merged;
  for (const auto& [time, total] : totals) {
    merged.times.push_back(time);
    merged.values.push_back(sum ? total.first : total.first / total.second);
  }
  return merged;
}

void AddGpuSeries(const Usage& usage, const std::vector<GpuKey>& gpus,
                  SeriesByName& series) {
  for (const char* name :
       {"gpu_utilization", "gpu_memory_copy", "gpu_memory"}) {
    std::vector<const TimeSeries*> parts;
    for (const GpuKey& key : gpus) {
      auto gpu = usage.gpus.find(key);
      if (gpu == usage.gpus.end()) continue;
      auto found = gpu->second.series.find(name);
      if (found != gpu->second.series.end()) parts.push_back(&found->second);
    }
    if (parts.empty()) continue;
    series[name] = MergeGpus(parts, std::string_view(name) == "gpu_memory");
  }
}

Status AnalyzeOne(const WatchConfig& config, const Analyzers& analyzers,
                  AnalysisTask& task) {
  AnalyzeJobRequest request{.events = std::move(task.events),
                            .step = config.step};
  for (const auto& [name, series] : task.series) {
    if (const JobMember* member = FindMember(name)) {
      request.series.*member->series = series;
      continue;
    }
    ASSIGN_OR_RETURN(SeriesAnalysis analysis,
                     analyzers.series({.series = series, .step = config.step}));
    task.result->others.push_back({name, std::move(analysis)});
  }
  ASSIGN_OR_RETURN(task.result->job, analyzers.job(request));
  return {};
}

template <typename Value, typename Key>
Value FindOr(const std::map<Key, Value>& map, const Key& key) {
  auto found = map.find(key);
  return found == map.end() ? Value{} : found->second;
}

std::vector<AnalysisTask> MakeTasks(const Usage& usage, const PodFacts& facts,
                                    UsageAnalysis& analysis) {
  std::vector<AnalysisTask> tasks;
  for (const auto& [node, series] : usage.nodes) {
    tasks.push_back({"node " + node, series, {}, &analysis.nodes[node]});
  }
  for (const auto& [key, gpu] : usage.gpus) {
    tasks.push_back({fmt::format("GPU {} of {}", key.index, key.node),
                     gpu.series,
                     {},
                     &analysis.gpus[key]});
  }
  std::set<PodKey> pods;
  for (const auto& [pod, series] : usage.pods) pods.insert(pod);
  for (const auto& [pod, gpus] : facts.gpus) pods.insert(pod);
  for (const PodKey& pod : pods) {
    SeriesByName series = FindOr(usage.pods, pod);
    AddGpuSeries(usage, FindOr(facts.gpus, pod), series);
    if (series.empty()) continue;
    tasks.push_back({fmt::format("pod {}/{}", pod.space, pod.name),
                     std::move(series), FindOr(facts.events, pod),
                     &analysis.pods[pod]});
  }
  return tasks;
}

}  // namespace

const SeriesAnalysis* SubjectAnalysis::Find(std::string_view name) const {
  for (const auto* list : {&job.series, &others}) {
    for (const NamedAnalysis& named : *list) {
      if (named.name == name) return &named.analysis;
    }
  }
  return nullptr;
}

Result<UsageAnalysis> AnalyzeUsage(const AnalyzeUsageRequest& request,
                                   const Analyzers& analyzers,
                                   AnalysisMemory& memory) {
  UsageAnalysis analysis;
  std::vector<AnalysisTask> tasks =
      MakeTasks(request.usage, request.facts, analysis);
  const AnalysisMemoryRules rules{
      .tolerance = request.config.tolerance / 2,
      .age = std::max(request.config.window / 6, Seconds(1))};
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::optional<Error> failed;
  auto work = [&] {
    for (size_t at = next++; at < tasks.size(); at = next++) {
      AnalysisTask& task = tasks[at];
      if (auto known =
              memory.Find(task.name, task.series, request.now, rules)) {
        *task.result = *std::move(known);
        continue;
      }
      Status status = AnalyzeOne(request.config, analyzers, task);
      if (status.ok()) {
        memory.Put(task.name, task.series, request.now, *task.result);
        continue;
      }
      std::lock_guard lock(mutex);
      failed = status.error().While(task.name);
    }
  };
  {
    std::vector<std::jthread> others;
    size_t count = std::min(std::max<size_t>(request.threads, 1), tasks.size());
    for (size_t i = 1; i < count; ++i) others.emplace_back(work);
    work();
  }
  memory.Sweep();
  if (failed) return *failed;
  return analysis;
}

}  // namespace mete
