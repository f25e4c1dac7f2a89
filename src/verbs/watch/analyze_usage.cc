#include "watch/analyze_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "watch/analysis_memory.h"

namespace mete {
namespace {

const JobMember* FindMember(std::string_view name) {
  const auto members = MembersOfJob();
  auto found = std::ranges::find(members, name, &JobMember::name);
  return found == members.end() ? nullptr : &*found;
}

// A subject and the place of its analysis.
struct AnalysisTask {
  std::string name;
  const SeriesByName* series;
  const JobEvents* events;
  AnalysisResult* result;
  double analyzed_at = 0;  // 0: never
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

Result<SubjectAnalysis> AnalyzeOne(const WatchConfig& config,
                                   const Analyzers& analyzers,
                                   const AnalysisTask& task) {
  SubjectAnalysis result;
  AnalyzeJobRequest request{.events = *task.events, .step = config.step};
  for (const auto& [name, series] : *task.series) {
    if (const JobMember* member = FindMember(name)) {
      request.series.*member->series = series;
      continue;
    }
    ASSIGN_OR_RETURN(SeriesAnalysis analysis,
                     analyzers.series({.series = series, .step = config.step}));
    result.others.push_back({name, std::move(analysis)});
  }
  ASSIGN_OR_RETURN(result.job, analyzers.job(request));
  return result;
}

template <typename Key, typename Value>
const Value& FindOr(const std::map<Key, Value>& map, const Key& key,
                    const Value& otherwise) {
  auto found = map.find(key);
  return found == map.end() ? otherwise : found->second;
}

// What is analyzed in one round.
class AnalysisTasks {
 public:
  AnalysisTasks(const Usage& usage, const PodFacts& facts,
                UsageAnalysis& analysis) {
    for (const auto& [node, series] : usage.nodes) {
      Add("node " + node, series, no_events_, analysis.nodes[node]);
    }
    for (const auto& [key, gpu] : usage.gpus) {
      Add(fmt::format("GPU {} of {}", key.index, key.node), gpu.series,
          no_events_, analysis.gpus[key]);
    }
    for (const auto& [pod, series] : usage.pods) {
      if (!facts.gpus.contains(pod)) AddPod(pod, series, facts, analysis);
    }
    for (const auto& [pod, gpus] : facts.gpus) {
      SeriesByName& series =
          merged_.emplace_back(FindOr(usage.pods, pod, SeriesByName()));
      AddGpuSeries(usage, gpus, series);
      if (!series.empty()) AddPod(pod, series, facts, analysis);
    }
  }

  std::vector<AnalysisTask>& tasks() { return tasks_; }

 private:
  void AddPod(const PodKey& pod, const SeriesByName& series,
              const PodFacts& facts, UsageAnalysis& analysis) {
    Add(fmt::format("pod {}/{}", pod.space, pod.name), series,
        FindOr(facts.events, pod, no_events_), analysis.pods[pod]);
  }
  void Add(std::string name, const SeriesByName& series,
           const JobEvents& events, AnalysisResult& result) {
    tasks_.push_back({.name = std::move(name),
                      .series = &series,
                      .events = &events,
                      .result = &result});
  }

  const JobEvents no_events_{};
  std::deque<SeriesByName> merged_;  // of pods with GPUs; places stay
  std::vector<AnalysisTask> tasks_;
};

// Calls `work` with each index below `count` on several threads.
void OnThreads(size_t threads, size_t count,
               const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  auto take = [&] {
    for (size_t at = next++; at < count; at = next++) work(at);
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(threads, count); ++i) {
    others.emplace_back(take);
  }
  take();
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

std::optional<double> SubjectAnalysis::MaxOf(std::string_view name) const {
  const SeriesAnalysis* series = Find(name);
  if (series == nullptr || !series->summary) return std::nullopt;
  return series->summary->max;
}

Result<UsageAnalysis> AnalyzeUsage(const AnalyzeUsageRequest& request,
                                   const Analyzers& analyzers,
                                   AnalysisMemory& memory) {
  UsageAnalysis analysis;
  AnalysisTasks all(request.usage, request.facts, analysis);
  const AnalysisMemoryRules rules{
      .tolerance = request.config.tolerance / 2,
      .age = std::max(request.config.window / 6, Seconds(1))};
  std::vector<AnalysisTask> due;
  for (AnalysisTask& task : all.tasks()) {
    if (auto earlier =
            memory.Find(task.name, *task.series, request.now, rules)) {
      *task.result = std::move(earlier->analysis);
      if (!earlier->due) continue;
      task.analyzed_at = earlier->analyzed_at;
    }
    due.push_back(std::move(task));
  }
  std::ranges::stable_sort(due, {}, &AnalysisTask::analyzed_at);
  std::mutex mutex;
  std::optional<Error> failed;
  std::atomic<size_t> postponed = 0;
  OnThreads(request.threads, due.size(), [&](size_t at) {
    const AnalysisTask& task = due[at];
    if (at > 0 && request.time_left && !request.time_left()) {
      ++postponed;
      return;
    }
    auto analyzed = AnalyzeOne(request.config, analyzers, task);
    if (!analyzed.ok()) {
      std::lock_guard lock(mutex);
      failed = analyzed.error().While(task.name);
      return;
    }
    auto result = std::make_shared<const SubjectAnalysis>(*std::move(analyzed));
    memory.Put(task.name, *task.series, request.now, result);
    *task.result = std::move(result);
  });
  memory.Sweep();
  if (failed) return *failed;
  analysis.postponed = postponed;
  return analysis;
}

}  // namespace mete
