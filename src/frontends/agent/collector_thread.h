// Runs one collector on a thread of its own, so a read that never returns does
// not block the other collectors.
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
  std::string reason;                            // of a failure
  std::optional<std::chrono::nanoseconds> took;  // absent before the first
  uint64_t timeouts = 0;                         // since the start
};

// The owner's handle of a collector and its thread. Call it from one thread
// only.
class CollectorThread {
 public:
  explicit CollectorThread(std::unique_ptr<Collector> collector);
  CollectorThread(const CollectorThread&) = delete;
  CollectorThread& operator=(const CollectorThread&) = delete;
  // Waits briefly for a collection in progress. If it hangs in the kernel it
  // cannot be stopped: the thread and the collector are left behind.
  ~CollectorThread();

  const std::string& name() const { return name_; }

  // Starts a collection. Does nothing while an earlier one is still running.
  void Ask();
  // Waits until `deadline` for the collection that Ask() started, but not for
  // an earlier one that still hangs. Afterwards batch() and state() describe
  // that collection. If it did not finish in time, the batch is empty and the
  // state says so.
  void Take(std::chrono::steady_clock::time_point deadline);

  const MetricBatch& batch() const { return batch_; }
  const CollectorState& state() const { return state_; }

 private:
  struct Shared;  // state shared with the thread

  std::string name_;
  std::shared_ptr<Shared> shared_;
  bool begun_ = false;  // the last Ask() started one
  MetricBatch batch_;
  CollectorState state_;
};

}  // namespace mete
