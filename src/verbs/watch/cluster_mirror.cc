#include "watch/cluster_mirror.h"

#include <algorithm>

namespace mete {
namespace {

template <typename Object>
void ApplyTo(std::map<std::string, Object>& known, ClusterChange change,
             const std::vector<Object>& objects) {
  if (change == ClusterChange::kRelisted) known.clear();
  for (const Object& object : objects) {
    if (change == ClusterChange::kDeleted) {
      known.erase(object.meta.ref.uid);
    } else {
      known.insert_or_assign(object.meta.ref.uid, object);
    }
  }
}

template <typename Object>
std::vector<Object> ByName(const std::map<std::string, Object>& known) {
  std::vector<Object> list;
  list.reserve(known.size());
  for (const auto& [uid, object] : known) list.push_back(object);
  std::ranges::sort(list, {}, [](const Object& object) {
    return std::tie(object.meta.ref.space, object.meta.ref.name);
  });
  return list;
}

}  // namespace

ClusterMirror::ClusterMirror(Cluster& cluster, ClusterScope pods,
                             std::function<void(const Error&)> trouble)
    : cluster_(cluster), trouble_(std::move(trouble)) {
  node_thread_ = std::jthread(
      [this](std::stop_token stop) { Follow(WatchedKind::kNodes, {}, stop); });
  pod_thread_ = std::jthread([this, pods](std::stop_token stop) {
    Follow(WatchedKind::kPods, pods, stop);
  });
}

void ClusterMirror::Follow(WatchedKind kind, const ClusterScope& scope,
                           std::stop_token stop) {
  Status status = cluster_.Watch(
      kind, scope,
      {.event = [this, kind](const ClusterEvent& event) { Apply(kind, event); },
       .trouble = trouble_},
      stop);
  if (status.ok() || stop.stop_requested()) return;
  std::lock_guard lock(mutex_);
  ended_ = status.error();
  changed_.notify_all();
}

void ClusterMirror::Apply(WatchedKind kind, const ClusterEvent& event) {
  std::lock_guard lock(mutex_);
  bool relisted = event.change == ClusterChange::kRelisted;
  if (kind == WatchedKind::kNodes) {
    ApplyTo(nodes_, event.change, event.objects.nodes);
    nodes_listed_ = nodes_listed_ || relisted;
  } else {
    ApplyTo(pods_, event.change, event.objects.pods);
    pods_listed_ = pods_listed_ || relisted;
  }
  changed_.notify_all();
}

Result<ClusterObjects> ClusterMirror::Objects(
    std::chrono::milliseconds patience, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, patience, [this] {
    return ended_ || (nodes_listed_ && pods_listed_);
  });
  if (ended_) return *ended_;
  if (stop.stop_requested()) {
    return Error(ErrorCode::kInterrupted, "list the cluster: interrupted");
  }
  if (!nodes_listed_ || !pods_listed_) {
    return Error(ErrorCode::kTimeout,
                 "list the cluster: " + cluster_.name() + " does not respond");
  }
  return ClusterObjects{.nodes = ByName(nodes_), .pods = ByName(pods_)};
}

}  // namespace mete
