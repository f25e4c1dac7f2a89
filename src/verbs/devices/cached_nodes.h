// Caches the nodes of a cluster, so that no caller waits for Prometheus. A
// background thread refreshes the cache.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "ports/node_source.h"
#include "support/clock.h"

namespace mete {

// How often to refresh the cache and how long to keep old data.
struct NodeCachePace {
  std::chrono::nanoseconds ttl = std::chrono::seconds(5);
  // How long the last answer is used, marked as stale, while the source fails.
  std::chrono::nanoseconds keep = std::chrono::minutes(1);
};

// Keeps the last answer of a source. Thread-safe.
class NodeCache {
 public:
  NodeCache(NodeCachePace pace, const Clock& clock)
      : pace_(pace), clock_(clock) {}

  // Stores a new answer of the source.
  void Take(Result<std::shared_ptr<const NodeSnapshot>> answer);
  // The last answer, marked as stale when it is older than the time to live.
  // Fails with the source's error when it is older than `keep`. Waits a few
  // seconds for the very first answer.
  Result<std::shared_ptr<const NodeSnapshot>> Give();
  // True after the first answer, when Give no longer waits.
  bool Answered() const;

 private:
  bool AnyAnswer() const { return last_ != nullptr || error_; }

  const NodeCachePace pace_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::shared_ptr<const NodeSnapshot> last_;
  std::chrono::nanoseconds last_at_{0};
  std::optional<Error> error_;  // of the last answer, if it failed
};

// Serves nodes from a cache. Thread-safe. A single background thread queries
// the source, at once and then once per time to live. The source must outlive
// this.
class CachedNodes final : public NodeSource {
 public:
  CachedNodes(NodeSource& source, NodeCachePace pace, Clock& clock);

  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override {
    return cache_.Give();
  }
  // True when Nodes returns without waiting.
  bool Answered() const { return cache_.Answered(); }

 private:
  NodeCache cache_;
  std::jthread thread_;
};

}  // namespace mete
