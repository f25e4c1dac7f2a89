// Decides what the annotations of nodes, pods and owners should be, and which
// changes to write.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domain/cluster_object.h"
#include "ports/cluster.h"
#include "ports/metric_history.h"
#include "watch/analyze_usage.h"
#include "watch/suggest_trial.h"
#include "watch/usage.h"
#include "watch/watch_config.h"

namespace mete {

inline constexpr std::string_view kProfileKey = "mete.dev/profile";

// An object and the annotations it should have.
struct ObjectAdvice {
  ObjectMeta object;
  LabelMap annotations;
  // Keys to give up first if the annotations become too large.
  std::vector<std::string> expendable;
  // What a stale key looks like: an owner keeps the values of its former pods.
  bool keeps_old = false;
  // The first analysis is still to come: the object keeps what it has.
  bool postponed = false;
  const SubjectAnalysis* analysis = nullptr;  // null for owners
  std::optional<TrialSuggestion> trial{};     // of a pod
};

// A pod as far as it is known: without a cluster only its name.
struct KnownPod {
  PodObject pod;
  std::optional<ObjectMeta> owner;  // the top one
};

// The nodes and pods of one round.
struct KnownObjects {
  std::vector<NodeObject> nodes;
  std::vector<KnownPod> pods;
};

// True for annotations of mete watch and Alnair's profiler on an object of any
// kind, also for the values of a pod on its owner. Keys of Alnair's device
// plugin and scheduler are not among them.
bool IsWatchAnnotation(const std::string& key, const std::string& value);

// Objects without usage have no annotations in the result. Owners are last;
// `current` returns the annotations that an owner has now.
std::vector<ObjectAdvice> DecideAnnotations(
    const WatchConfig& config, const KnownObjects& objects, const Usage& usage,
    const UsageAnalysis& analysis, const PodFacts& facts,
    const std::function<LabelMap(const ObjectMeta&)>& current);

// How changes are judged.
struct ChangeRules {
  double tolerance = 0.1;  // smaller changes are not written
  bool prune = false;      // remove our keys that are not in the advice
};

// The patch that brings `current` to the advice; absent when nothing changed
// beyond the tolerance. A pod's timestamp is `now` and changes only together
// with something else.
std::optional<AnnotationPatch> DecidePatch(const ObjectAdvice& advice,
                                           const LabelMap& current,
                                           const ChangeRules& rules,
                                           WallTime now);

}  // namespace mete
