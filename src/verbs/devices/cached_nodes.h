// The nodes as they were a moment ago, so that no caller waits for Prometheus:
// a thread of its own asks again and again.
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

struct NodeCachePace {
  std::chrono::nanoseconds ttl = std::chrono::seconds(5);
  // So long the last answer is given on, marked, when the source has none.
  std::chrono::nanoseconds keep = std::chrono::minutes(1);
};

// What the last answers amount to now. From any thread.
class NodeCache {
 public:
  NodeCache(NodeCachePace pace, const Clock& clock)
      : pace_(pace), clock_(clock) {}

  // What the source answered just now.
  void Take(Result<std::shared_ptr<const NodeSnapshot>> answer);
  // The last answer, marked as stale when it is not from within the time to
  // live; the source's error when that is too long ago. Waits some seconds
  // for the very first answer.
  Result<std::shared_ptr<const NodeSnapshot>> Give();
  // Whether there was any answer: Give does not wait any more.
  bool Answered() const;

 private:
  bool AnyAnswer() const { return last_ != nullptr || error_; }

  const NodeCachePace pace_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::shared_ptr<const NodeSnapshot> last_;
  std::chrono::nanoseconds last_at_{0};
  std::optional<Error> error_;  // of the last answer
};

// From any thread. The source is asked by one thread alone, at once and then
// every time-to-live, and must outlive this.
class CachedNodes final : public NodeSource {
 public:
  CachedNodes(NodeSource& source, NodeCachePace pace, Clock& clock);

  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override {
    return cache_.Give();
  }
  // Whether Nodes answers without waiting.
  bool Answered() const { return cache_.Answered(); }

 private:
  NodeCache cache_;
  std::jthread thread_;
};

}  // namespace mete
