// A cluster in memory, with the semantics that an API server documents.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ports/cluster.h"
#include "support/clock.h"

namespace mete {

// Thread-safe, like every cluster.
class FakeCluster final : public Cluster {
 public:
  explicit FakeCluster(const Clock& clock) : clock_(clock) {}

  // --- what a test does to the cluster
  ObjectMeta AddNode(NodeObject node) {
    std::lock_guard lock(mutex_);
    node.meta.ref.api_version = "v1";
    node.meta.ref.kind = "Node";
    Complete(node.meta);
    Replace(nodes_, node);
    Report(WatchedKind::kNodes, ClusterChange::kAdded, {.nodes = {node}});
    return node.meta;
  }
  ObjectMeta AddPod(PodObject pod) {
    std::lock_guard lock(mutex_);
    pod.meta.ref.api_version = "v1";
    pod.meta.ref.kind = "Pod";
    Complete(pod.meta);
    Replace(pods_, pod);
    Report(WatchedKind::kPods, ClusterChange::kAdded, {.pods = {pod}});
    return pod.meta;
  }
  // A Job, a custom resource: anything that can own a pod.
  ObjectMeta AddObject(ObjectMeta meta) {
    std::lock_guard lock(mutex_);
    Complete(meta);
    others_.push_back(meta);
    return meta;
  }
  void DeletePod(const std::string& space, const std::string& name) {
    std::lock_guard lock(mutex_);
    for (auto pod = pods_.begin(); pod != pods_.end(); ++pod) {
      if (pod->meta.ref.space != space || pod->meta.ref.name != name) continue;
      PodObject gone = *pod;
      pods_.erase(pod);
      gone.meta.resource_version = std::to_string(++version_);
      Report(WatchedKind::kPods, ClusterChange::kDeleted, {.pods = {gone}});
      return;
    }
  }
  // Every watch must list again, as after a compaction (410 Gone).
  void Compact() {
    std::lock_guard lock(mutex_);
    for (auto& [id, watcher] : watchers_) watcher.relist = true;
    changed_.notify_all();
  }
  // All calls fail with this error, or work again.
  void Break(std::optional<Error> error) {
    std::lock_guard lock(mutex_);
    broken_ = std::move(error);
    changed_.notify_all();
  }
  // Reading and patching objects of this kind fails with kPermissionDenied.
  void Forbid(const std::string& kind) {
    std::lock_guard lock(mutex_);
    forbidden_.insert(kind);
  }
  size_t patches() const {
    std::lock_guard lock(mutex_);
    return patches_;
  }

  // --- Cluster
  std::string name() const override { return "fake cluster"; }

  Result<std::vector<NodeObject>> ListNodes(const ClusterScope& scope,
                                            std::stop_token) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    return Listed(scope).nodes;
  }
  Result<std::vector<PodObject>> ListPods(const ClusterScope& scope,
                                          std::stop_token) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    return Listed(scope).pods;
  }

  Status Watch(WatchedKind kind, const ClusterScope& scope,
               const WatchCallbacks& callbacks, std::stop_token stop) override {
    std::unique_lock lock(mutex_);
    const int id = next_watcher_++;
    watchers_[id] = {.kind = kind, .scope = scope};
    std::stop_callback wake(stop, [this] { changed_.notify_all(); });
    while (!stop.stop_requested()) {
      Watcher& watcher = watchers_[id];
      std::vector<ClusterEvent> events = std::exchange(watcher.events, {});
      if (std::exchange(watcher.relist, false)) {
        ClusterObjects all = Listed(scope);
        (kind == WatchedKind::kNodes ? all.pods.clear() : all.nodes.clear());
        events = {{ClusterChange::kRelisted, std::move(all)}};
      }
      if (events.empty()) {
        changed_.wait_for(lock, std::chrono::milliseconds(50));
        continue;
      }
      lock.unlock();
      for (const ClusterEvent& event : events) callbacks.event(event);
      lock.lock();
    }
    watchers_.erase(id);
    return {};
  }

  Result<ObjectMeta> Get(const ObjectRef& object, std::stop_token) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    ASSIGN_OR_RETURN(ObjectMeta * found, Find(object));
    return *found;
  }

  Result<std::vector<ObjectMeta>> Owners(const ObjectMeta& object,
                                         std::stop_token) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    std::vector<ObjectMeta> chain;
    ObjectMeta at = object;
    std::set<std::string> seen = {at.ref.uid};
    while (!at.owners.empty()) {
      auto owner =
          std::ranges::find(at.owners, true, &OwnerReference::controller);
      if (owner == at.owners.end()) owner = at.owners.begin();
      auto found = Find({.api_version = owner->api_version,
                         .kind = owner->kind,
                         .space = object.ref.space,
                         .name = owner->name,
                         .uid = owner->uid});
      if (!found.ok() || !seen.insert((*found)->ref.uid).second) break;
      chain.push_back(**found);
      at = **found;
    }
    return chain;
  }

  Result<ObjectMeta> Patch(const AnnotationPatch& patch,
                           std::stop_token) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    ASSIGN_OR_RETURN(ObjectMeta * found, Find(patch.object));
    ObjectMeta changed = *found;
    for (const auto& [key, value] : patch.set) {
      changed.annotations[key] = value;
    }
    for (const std::string& key : patch.remove) changed.annotations.erase(key);
    if (patch.dry_run) return changed;
    ++patches_;
    changed.resource_version = std::to_string(++version_);
    *found = changed;
    ReportModified(changed);
    return changed;
  }

  Result<LeaseState> AcquireLease(const LeaseRequest& lease,
                                  std::stop_token) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    Lease& held = leases_[lease.space + "/" + lease.name];
    bool expired = clock_.Now() - held.renewed > held.duration;
    if (held.holder.empty() || held.holder == lease.holder || expired) {
      held = {
          lease.holder,
          std::chrono::duration_cast<std::chrono::nanoseconds>(lease.duration),
          clock_.Now()};
    }
    return LeaseState{.held = held.holder == lease.holder,
                      .holder = held.holder};
  }
  Status ReleaseLease(const LeaseRequest& lease) override {
    std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    Lease& held = leases_[lease.space + "/" + lease.name];
    if (held.holder == lease.holder) held.holder.clear();
    return {};
  }

 private:
  struct Watcher {
    WatchedKind kind = WatchedKind::kNodes;
    ClusterScope scope;
    bool relist = true;
    std::vector<ClusterEvent> events{};
  };
  struct Lease {
    std::string holder;
    std::chrono::nanoseconds duration{0};
    std::chrono::nanoseconds renewed{0};
  };

  template <typename Object>
  static void Replace(std::vector<Object>& list, const Object& object) {
    const ObjectRef& ref = object.meta.ref;
    std::erase_if(list, [&ref](const Object& other) {
      return other.meta.ref.space == ref.space &&
             other.meta.ref.name == ref.name;
    });
    list.push_back(object);
  }

  // "a=b,c=d": the form that tests need.
  static bool Matches(const ObjectMeta& meta, const std::string& selector) {
    size_t at = 0;
    while (at < selector.size()) {
      size_t end = std::min(selector.find(',', at), selector.size());
      std::string term = selector.substr(at, end - at);
      size_t equal = term.find('=');
      auto label = meta.labels.find(term.substr(0, equal));
      if (label == meta.labels.end() ||
          label->second != term.substr(equal + 1)) {
        return false;
      }
      at = end + 1;
    }
    return true;
  }

  static bool InScope(const PodObject& pod, const ClusterScope& scope) {
    bool space = scope.spaces.empty() ||
                 std::ranges::count(scope.spaces, pod.meta.ref.space) > 0;
    return space && (scope.node.empty() || scope.node == pod.node) &&
           Matches(pod.meta, scope.label_selector);
  }

  void Complete(ObjectMeta& meta) {
    if (meta.ref.uid.empty()) meta.ref.uid = "uid-" + std::to_string(++uid_);
    meta.resource_version = std::to_string(++version_);
  }

  ClusterObjects Listed(const ClusterScope& scope) const {
    ClusterObjects all{.resource_version = std::to_string(version_)};
    for (const NodeObject& node : nodes_) {
      if (Matches(node.meta, scope.label_selector)) all.nodes.push_back(node);
    }
    for (const PodObject& pod : pods_) {
      if (InScope(pod, scope)) all.pods.push_back(pod);
    }
    auto by_name = [](const auto& a, const auto& b) {
      return std::pair(a.meta.ref.space, a.meta.ref.name) <
             std::pair(b.meta.ref.space, b.meta.ref.name);
    };
    std::ranges::sort(all.nodes, by_name);
    std::ranges::sort(all.pods, by_name);
    return all;
  }

  Result<ObjectMeta*> Find(const ObjectRef& ref) {
    if (forbidden_.contains(ref.kind)) {
      return Error(ErrorCode::kPermissionDenied,
                   "forbidden: " + ObjectText(ref));
    }
    std::vector<ObjectMeta*> all;
    for (NodeObject& node : nodes_) all.push_back(&node.meta);
    for (PodObject& pod : pods_) all.push_back(&pod.meta);
    for (ObjectMeta& meta : others_) all.push_back(&meta);
    for (ObjectMeta* meta : all) {
      if (meta->ref.kind == ref.kind && meta->ref.name == ref.name &&
          (meta->ref.space == ref.space || meta->ref.space.empty()) &&
          (ref.uid.empty() || ref.uid == meta->ref.uid)) {
        return meta;
      }
    }
    return NotFound("no such object: " + ObjectText(ref));
  }

  void ReportModified(const ObjectMeta& meta) {
    for (const NodeObject& node : nodes_) {
      if (node.meta.ref == meta.ref) {
        Report(WatchedKind::kNodes, ClusterChange::kModified,
               {.nodes = {node}});
      }
    }
    for (const PodObject& pod : pods_) {
      if (pod.meta.ref == meta.ref) {
        Report(WatchedKind::kPods, ClusterChange::kModified, {.pods = {pod}});
      }
    }
  }

  void Report(WatchedKind kind, ClusterChange change, ClusterObjects objects) {
    for (auto& [id, watcher] : watchers_) {
      if (watcher.kind != kind) continue;
      if (!objects.pods.empty() &&
          !InScope(objects.pods.front(), watcher.scope)) {
        continue;
      }
      watcher.events.push_back({change, objects});
    }
    changed_.notify_all();
  }

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<NodeObject> nodes_;
  std::vector<PodObject> pods_;
  std::vector<ObjectMeta> others_;
  std::map<std::string, Lease> leases_;
  std::map<int, Watcher> watchers_;
  int next_watcher_ = 0;
  std::optional<Error> broken_;
  std::set<std::string> forbidden_;
  size_t patches_ = 0;
  uint64_t version_ = 0;
  uint64_t uid_ = 0;
};

}  // namespace mete
