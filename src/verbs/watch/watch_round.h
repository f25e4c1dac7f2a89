// One round of mete watch: collect usage, analyze it, decide annotations, and
// write those that changed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "ports/cluster.h"
#include "ports/metric_history.h"
#include "support/clock.h"
#include "support/result.h"
#include "watch/analysis_memory.h"
#include "watch/analyze_usage.h"
#include "watch/annotation_sink.h"
#include "watch/decide_annotations.h"
#include "watch/incremental_history.h"
#include "watch/owner_cache.h"
#include "watch/watch_config.h"

namespace mete {

// What to watch.
struct WatchRequest {
  WatchConfig config;
  ClusterScope scope;    // of the pods
  bool dry_run = false;  // decide, but write nothing
  bool prune = false;    // remove stale annotations
  size_t threads = 1;    // for the analysis
  // CPU time for the analyses of a round; the rest is postponed. Absent: no
  // limit.
  std::optional<Seconds> analysis_time;
};

// The dependencies. All of them must outlive the watch.
struct WatchDependencies {
  MetricHistory& history;
  Cluster* cluster = nullptr;  // null: no Kubernetes; series name the objects
  AnnotationSink& sink;
  Analyzers analyzers;
  Clock& clock;
};

// What a round did with one object.
struct RoundObject {
  ObjectRef object;
  LabelMap annotations;  // that it should have
  bool changed = false;  // a patch was due
  std::string failure;   // why it could not be written; "" otherwise
  // For the table; absent if not measured.
  std::optional<double> cpu_max;     // cores
  std::optional<double> memory_max;  // bytes
  std::optional<SeriesPeriod> period;
  std::string period_of;  // the metric that repeats
  std::string kind;       // of job; "" for owners
  std::optional<TrialSuggestion> trial;
};

// The result of a round.
struct RoundReport {
  WallTime at;
  std::vector<RoundObject> objects;  // that were measured, and pruned ones
  size_t changed = 0;
  size_t failed = 0;
  size_t postponed = 0;  // analyses, for lack of time
  std::vector<std::string> warnings;
  Seconds took{0};
  Seconds cpu{0};
};

// Carries out rounds and remembers metrics, owners and analyses between them.
// Used by one thread.
class WatchRounds {
 public:
  explicit WatchRounds(WatchDependencies dependencies);

  // Lists nodes and pods from the cluster in every round, unless `objects` is
  // set: it returns what a subscription knows.
  std::function<Result<ClusterObjects>(std::stop_token)> objects;
  // Checked before writing: false when another replica leads.
  std::function<bool()> may_write;

  // Fails if the metrics or the cluster cannot be read; nothing is written
  // then.
  Result<RoundReport> Run(const WatchRequest& request, std::stop_token stop);

 private:
  Result<ClusterObjects> List(const ClusterScope& scope, std::stop_token stop);
  Result<KnownObjects> WithOwners(ClusterObjects listed,
                                  std::vector<std::string>& warnings,
                                  std::stop_token stop);
  void Write(const WatchRequest& request,
             const std::vector<ObjectAdvice>& advice, RoundReport& report,
             std::stop_token stop);

  WatchDependencies dependencies_;
  IncrementalHistory history_;
  AnalysisMemory memory_;
  std::unique_ptr<OwnerCache> owners_;  // null without a cluster
};

}  // namespace mete
