// Runs one collector on a thread of its own, so that a reading which never
// comes back holds up nobody else.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "agent/collector.h"

namespace mete {

// How the last collection went.
struct CollectorState {
  bool success = false;
  std::string reason;                            // why not
  std::optional<std::chrono::nanoseconds> took;  // absent until it came back
  uint64_t timeouts = 0;                         // since the start
};

// Used by one thread.
class CollectorThread {
 public:
  explicit CollectorThread(std::unique_ptr<Collector> collector);
  CollectorThread(const CollectorThread&) = delete;
  CollectorThread& operator=(const CollectorThread&) = delete;
  // Waits a moment for a collection that is under way. One that hangs in the
  // kernel cannot be ended: its thread and its collector stay as they are.
  ~CollectorThread();

  const std::string& name() const { return name_; }

  // Begins a collection. Does nothing while an earlier one has not come back.
  void Ask();
  // Waits for what Ask() began, at most until `deadline` of the steady clock,
  // and not at all for an earlier collection that still hangs. Afterwards
  // batch() and state() are of that collection; of one that did not come back
  // in time the batch is empty and the state tells so.
  void Take(std::chrono::steady_clock::time_point deadline);

  const MetricBatch& batch() const { return batch_; }
  const CollectorState& state() const { return state_; }

 private:
  struct Shared;  // with the thread

  std::string name_;
  std::shared_ptr<Shared> shared_;
  bool begun_ = false;  // by the last Ask()
  MetricBatch batch_;
  CollectorState state_;
};

}  // namespace mete
