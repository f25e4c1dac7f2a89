#include "watch/decide_annotations.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/json.h"
#include "watch/alnair_annotations.h"
#include "watch/annotation_change.h"
#include "watch/fit_annotations.h"
#include "watch/profile_json.h"

namespace mete {
namespace {

const std::string kTimestampKey = std::string(kAlnairPrefix) + "timestamp";

std::string CompactText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename Key, typename Value>
const Value* FindIn(const std::map<Key, Value>& map, const Key& key) {
  auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

template <typename Key>
const SubjectAnalysis* FindIn(const std::map<Key, AnalysisResult>& analyses,
                              const Key& key) {
  auto found = analyses.find(key);
  return found == analyses.end() ? nullptr : found->second.get();
}

template <typename Key>
bool IsPostponed(const std::map<Key, AnalysisResult>& analyses,
                 const Key& key) {
  auto found = analyses.find(key);
  return found != analyses.end() && found->second == nullptr;
}

// Makes the advice of one round.
class AdviceMaker {
 public:
  AdviceMaker(const WatchConfig& config, const Usage& usage,
              const UsageAnalysis& analysis, const PodFacts& facts,
              ResourceAmounts largest)
      : config_(config),
        usage_(usage),
        analysis_(analysis),
        facts_(facts),
        largest_(std::move(largest)) {}

  ObjectAdvice ForNode(const NodeObject& node) const {
    ObjectAdvice advice{.object = node.meta};
    const std::string& name = node.meta.ref.name;
    advice.analysis = FindIn(analysis_.nodes, name);
    advice.postponed = mete::IsPostponed(analysis_.nodes, name);
    std::vector<GpuView> gpus;
    ProfileSource profile{.config = config_,
                          .of = SubjectKind::kNode,
                          .analysis = advice.analysis};
    for (const auto& [key, gpu] : usage_.gpus) {
      if (key.node != name) continue;
      advice.postponed |= mete::IsPostponed(analysis_.gpus, key);
      gpus.push_back(View(key));
      if (gpus.back().analysis != nullptr) {
        profile.gpus[key.index] = gpus.back().analysis;
      }
    }
    if (advice.postponed) return advice;
    if (advice.analysis == nullptr && gpus.empty()) return advice;
    advice.annotations = AlnairNodeAnnotations(gpus);
    advice.annotations.emplace(kProfileKey,
                               CompactText(ProfileToJson(profile)));
    return advice;
  }

  ObjectAdvice ForPod(const PodObject& pod) const {
    ObjectAdvice advice{.object = pod.meta};
    advice.analysis = FindIn(analysis_.pods, Key(pod));
    advice.postponed = IsPostponed(Key(pod));
    if (advice.postponed || advice.analysis == nullptr) return advice;
    advice.trial = SuggestTrial(pod, *advice.analysis, largest_);
    for (auto& [name, value] : Values(pod)) {
      advice.annotations[AlnairKey(name)] = value;
    }
    advice.annotations.emplace(
        kProfileKey, CompactText(ProfileToJson({.config = config_,
                                                .of = SubjectKind::kPod,
                                                .analysis = advice.analysis,
                                                .trial = advice.trial})));
    return advice;
  }

  // The values of a pod with its node, for its owner; empty without usage.
  PythonDict ForOwner(const PodObject& pod) const {
    if (IsPostponed(Key(pod))) return {};
    if (FindIn(analysis_.pods, Key(pod)) == nullptr) return {};
    PythonDict values = Values(pod);
    if (!pod.node.empty()) values.emplace_back("node", PythonText(pod.node));
    return values;
  }

 private:
  static PodKey Key(const PodObject& pod) {
    return {pod.meta.ref.space, pod.meta.ref.name};
  }

  // True if the pod or one of its GPUs was not analyzed yet.
  bool IsPostponed(const PodKey& pod) const {
    const auto* gpus = FindIn(facts_.gpus, pod);
    return mete::IsPostponed(analysis_.pods, pod) ||
           (gpus != nullptr &&
            std::ranges::any_of(*gpus, [this](const GpuKey& key) {
              return mete::IsPostponed(analysis_.gpus, key);
            }));
  }

  GpuView View(const GpuKey& key) const {
    return {.index = key.index,
            .usage = usage_.gpus.at(key),
            .analysis = FindIn(analysis_.gpus, key)};
  }

  PythonDict Values(const PodObject& pod) const {
    PodView view{.node = pod.node,
                 .uid = pod.meta.ref.uid,
                 .analysis = *analysis_.pods.at(Key(pod))};
    if (const auto* gpus = FindIn(facts_.gpus, Key(pod))) {
      for (const GpuKey& key : *gpus) view.gpus.push_back(View(key));
    }
    return AlnairPodValues(view);
  }

  const WatchConfig& config_;
  const Usage& usage_;
  const UsageAnalysis& analysis_;
  const PodFacts& facts_;
  const ResourceAmounts largest_;
};

bool IsWorkerKey(const std::string& key, const std::string& value) {
  return key.starts_with(kAlnairPrefix) && !IsAlnairProfileKey(key) &&
         value.starts_with("{'");
}

// One entry per owner, with the maxima of its pods.
std::vector<ObjectAdvice> AdviceForOwners(
    const KnownObjects& objects, const AdviceMaker& maker,
    const std::function<LabelMap(const ObjectMeta&)>& current) {
  std::map<ObjectRef, ObjectAdvice> owners;
  std::map<ObjectRef, LabelMap> before;
  for (const KnownPod& known : objects.pods) {
    if (!known.owner) continue;
    PythonDict values = maker.ForOwner(known.pod);
    if (values.empty()) continue;
    const ObjectRef& ref = known.owner->ref;
    auto [place, fresh] = owners.try_emplace(ref);
    if (fresh) {
      place->second.object = *known.owner;
      place->second.keeps_old = true;
      before[ref] = current(*known.owner);
    }
    std::string key = AlnairKey(known.pod.meta.ref.name);
    auto old = before[ref].find(key);
    place->second.annotations[key] =
        MergeMaxima(old == before[ref].end() ? "" : old->second, values);
  }
  std::vector<ObjectAdvice> list;
  for (auto& [ref, advice] : owners) {
    for (const auto& [key, value] : before[ref]) {
      if (advice.annotations.contains(key) || !IsWorkerKey(key, value))
        continue;
      advice.expendable.push_back(key);
      advice.annotations[key] = value;
    }
    list.push_back(std::move(advice));
  }
  return list;
}

bool IsSame(const std::string& key, const std::string& old_value,
            const std::string& new_value, double tolerance) {
  return key == kProfileKey ? SameProfile(old_value, new_value, tolerance)
                            : SameText(old_value, new_value, tolerance);
}

// Keys that only mete watch, or Alnair before it, writes to nodes and pods.
bool IsOurs(const std::string& key) {
  return key == kProfileKey || IsAlnairProfileKey(key);
}

std::string AlnairTime(WallTime now) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

// The largest amounts of all nodes.
ResourceAmounts LargestOf(const std::vector<NodeObject>& nodes) {
  ResourceAmounts largest;
  for (const NodeObject& node : nodes) {
    largest.cpus = std::max(largest.cpus, node.allocatable.cpus);
    largest.memory = std::max(largest.memory, node.allocatable.memory);
  }
  return largest;
}

}  // namespace

bool IsWatchAnnotation(const std::string& key, const std::string& value) {
  return IsOurs(key) || IsWorkerKey(key, value);
}

std::vector<ObjectAdvice> DecideAnnotations(
    const WatchConfig& config, const KnownObjects& objects, const Usage& usage,
    const UsageAnalysis& analysis, const PodFacts& facts,
    const std::function<LabelMap(const ObjectMeta&)>& current) {
  AdviceMaker maker(config, usage, analysis, facts, LargestOf(objects.nodes));
  std::vector<ObjectAdvice> advice;
  for (const NodeObject& node : objects.nodes) {
    advice.push_back(maker.ForNode(node));
  }
  for (const KnownPod& known : objects.pods) {
    advice.push_back(maker.ForPod(known.pod));
  }
  for (ObjectAdvice& owner : AdviceForOwners(objects, maker, current)) {
    advice.push_back(std::move(owner));
  }
  return advice;
}

std::optional<AnnotationPatch> DecidePatch(const ObjectAdvice& advice,
                                           const LabelMap& current,
                                           const ChangeRules& rules,
                                           WallTime now) {
  AnnotationPatch patch{.object = advice.object.ref};
  patch.seen_version = advice.object.resource_version;
  LabelMap fitting = advice.annotations;
  FitAnnotations(current, advice.expendable, fitting);
  bool changed = false;
  for (const auto& [key, value] : fitting) {
    auto old = current.find(key);
    if (old != current.end() && old->second == value) continue;
    patch.set[key] = value;
    changed = changed || old == current.end() ||
              !IsSame(key, old->second, value, rules.tolerance);
  }
  for (const auto& [key, value] : current) {
    bool stale = rules.prune && !advice.keeps_old && IsOurs(key) &&
                 !fitting.contains(key) &&
                 (key != kTimestampKey || fitting.empty());
    bool dropped = advice.annotations.contains(key) && !fitting.contains(key);
    if (stale || dropped) patch.remove.push_back(key);
  }
  if (!changed && patch.remove.empty()) return std::nullopt;
  if (!changed) patch.set.clear();
  if (advice.object.ref.kind == "Pod" && !patch.set.empty()) {
    patch.set[kTimestampKey] = AlnairTime(now);
  }
  return patch;
}

}  // namespace mete
