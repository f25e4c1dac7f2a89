// A copy of the cluster's nodes and pods that a subscription keeps current, so
// that a round does not list them.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "ports/cluster.h"

namespace mete {

// Follows the cluster on two threads until it is destroyed. Thread-safe.
class ClusterMirror {
 public:
  // `trouble` is called by the threads when the server is lost. It may be
  // empty.
  ClusterMirror(Cluster& cluster, ClusterScope pods,
                std::function<void(const Error&)> trouble);

  // Everything known. Waits for the first list, at most `patience`. Fails with
  // kTimeout, with kInterrupted, or with the error that ended a watch.
  Result<ClusterObjects> Objects(std::chrono::milliseconds patience,
                                 std::stop_token stop);

 private:
  void Follow(WatchedKind kind, const ClusterScope& scope,
              std::stop_token stop);
  void Apply(WatchedKind kind, const ClusterEvent& event);

  Cluster& cluster_;
  const std::function<void(const Error&)> trouble_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool nodes_listed_ = false;
  bool pods_listed_ = false;
  std::optional<Error> ended_;
  std::map<std::string, NodeObject> nodes_;  // by uid
  std::map<std::string, PodObject> pods_;
  std::jthread node_thread_;  // last: they use the rest
  std::jthread pod_thread_;
};

}  // namespace mete
