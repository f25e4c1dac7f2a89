#include "watch/watch_round.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "watch/collect_usage.h"
#include "watch/pod_facts.h"

namespace mete {
namespace {

// The metrics whose period the table shows, the most telling first.
constexpr std::array<const char*, 5> kTellingMetrics = {
    "gpu_utilization", "gpu_memory_copy", "cpu", "network_receive", "memory"};

RoundObject ToRoundObject(const ObjectAdvice& advice) {
  RoundObject object{.object = advice.object.ref,
                     .annotations = advice.annotations};
  if (advice.analysis == nullptr) return object;
  object.cpu_max = advice.analysis->MaxOf("cpu");
  object.memory_max = advice.analysis->MaxOf("memory");
  object.trial = advice.trial;
  object.kind = std::string(ToString(advice.analysis->job.kind.kind));
  for (const char* name : kTellingMetrics) {
    const SeriesAnalysis* series = advice.analysis->Find(name);
    if (series == nullptr || series->periods.empty()) continue;
    object.period = series->periods.front();
    object.period_of = name;
    break;
  }
  return object;
}

}  // namespace

WatchRounds::WatchRounds(WatchDependencies dependencies)
    : dependencies_(std::move(dependencies)), history_(dependencies_.history) {
  if (dependencies_.cluster != nullptr) {
    owners_ = std::make_unique<OwnerCache>(*dependencies_.cluster,
                                           dependencies_.clock);
  }
}

Result<ClusterObjects> WatchRounds::List(const ClusterScope& scope,
                                         std::stop_token stop) {
  if (objects) return objects(stop);
  ClusterObjects listed;
  ASSIGN_OR_RETURN(listed.nodes, dependencies_.cluster->ListNodes({}, stop));
  ASSIGN_OR_RETURN(listed.pods, dependencies_.cluster->ListPods(scope, stop));
  return listed;
}

Result<KnownObjects> WatchRounds::WithOwners(ClusterObjects listed,
                                             std::vector<std::string>& warnings,
                                             std::stop_token stop) {
  KnownObjects known{.nodes = std::move(listed.nodes)};
  owners_->Retain(listed.pods);
  for (PodObject& pod : listed.pods) {
    if (pod.phase == PodPhase::kPending) continue;
    auto owner = owners_->Top(pod, stop);
    if (!owner.ok() && owner.error().code() == ErrorCode::kPermissionDenied) {
      warnings.push_back(fmt::format("owner of {}: {}",
                                     ObjectText(pod.meta.ref),
                                     owner.error().message()));
      known.pods.push_back({.pod = std::move(pod)});
      continue;
    }
    if (!owner.ok()) return owner.error();
    known.pods.push_back({.pod = std::move(pod), .owner = *std::move(owner)});
  }
  return known;
}

void WatchRounds::Write(const WatchRequest& request,
                        const std::vector<ObjectAdvice>& advice,
                        RoundReport& report, std::stop_token stop) {
  std::vector<AnnotationPatch> patches;
  std::vector<size_t> places;  // in report.objects
  const ChangeRules rules{.tolerance = request.config.tolerance,
                          .prune = request.prune};
  for (const ObjectAdvice& one : advice) {
    if (one.postponed) continue;
    auto patch = DecidePatch(one, dependencies_.sink.Current(one.object), rules,
                             report.at);
    if (one.annotations.empty() && !patch) continue;
    report.objects.push_back(ToRoundObject(one));
    if (!patch) continue;
    report.objects.back().changed = true;
    patch->dry_run = request.dry_run;
    patches.push_back(*std::move(patch));
    places.push_back(report.objects.size() - 1);
  }
  report.changed = patches.size();
  if (request.dry_run || patches.empty()) return;
  if (may_write && !may_write()) {
    report.warnings.emplace_back("nothing was written: another replica leads");
    return;
  }
  auto results = dependencies_.sink.Write(patches, stop);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].ok()) {
      if (owners_ != nullptr) owners_->Apply(patches[i]);
      continue;
    }
    ++report.failed;
    report.objects[places[i]].failure = results[i].error().message();
  }
}

Result<RoundReport> WatchRounds::Run(const WatchRequest& request,
                                     std::stop_token stop) {
  Clock& clock = dependencies_.clock;
  const auto start = clock.Now();
  const Seconds cpu = clock.ProcessCpu();
  RoundReport report{.at = clock.Wall()};
  const bool has_cluster = dependencies_.cluster != nullptr;
  KnownObjects known;
  if (has_cluster) {
    ASSIGN_OR_RETURN(ClusterObjects listed, List(request.scope, stop));
    ASSIGN_OR_RETURN(known,
                     WithOwners(std::move(listed), report.warnings, stop));
  }
  ASSIGN_OR_RETURN(
      Usage usage,
      CollectUsage(request.config, history_,
                   MakeNodeNaming(known.nodes, has_cluster), report.at, stop));
  for (const std::string& rejected : usage.rejected) {
    report.warnings.push_back(rejected);
  }
  if (!has_cluster) known = ObjectsFromUsage(usage, request.scope.spaces);
  PodFacts facts = MakePodFacts(known, usage, report.at);
  const Seconds cpu_before = clock.ProcessCpu();
  auto time_left = [&] {
    if (stop.stop_requested()) return false;
    return !request.analysis_time ||
           clock.ProcessCpu() - cpu_before < *request.analysis_time;
  };
  ASSIGN_OR_RETURN(
      UsageAnalysis analysis,
      AnalyzeUsage({.config = request.config,
                    .usage = usage,
                    .facts = facts,
                    .now = Seconds(report.at.time_since_epoch()).count(),
                    .threads = request.threads,
                    .time_left = time_left},
                   dependencies_.analyzers, memory_));
  if (stop.stop_requested()) {
    return Error(ErrorCode::kInterrupted, "analyze the cluster: interrupted");
  }
  report.postponed = analysis.postponed;
  auto advice = DecideAnnotations(request.config, known, usage, analysis, facts,
                                  [this](const ObjectMeta& meta) {
                                    return dependencies_.sink.Current(meta);
                                  });
  if (request.prune) {
    std::vector<ObjectMeta> present;
    for (const ObjectAdvice& one : advice) present.push_back(one.object);
    for (ObjectMeta& gone : dependencies_.sink.Abandoned(present)) {
      if (gone.ref.kind != "Node" && gone.ref.kind != "Pod") continue;
      advice.push_back({.object = std::move(gone)});
    }
  }
  Write(request, advice, report, stop);
  report.took = clock.Now() - start;
  report.cpu = clock.ProcessCpu() - cpu;
  return report;
}

}  // namespace mete
