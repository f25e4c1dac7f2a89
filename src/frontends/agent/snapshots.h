// Creates the pages for scrapes. All collectors run at the same time, each with
// a deadline, and a recent page is used again.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/collector.h"
#include "agent/collector_thread.h"
#include "support/clock.h"

namespace mete {

// Cache time, deadline and reporting of Snapshots.
struct SnapshotSettings {
  // A page that is not older is used again.
  std::chrono::milliseconds max_age{500};
  // Deadline of each collector; shorter than the timeout of any scrape.
  std::chrono::milliseconds patience{2000};
  // Called when a collector starts to fail and when it recovers.
  std::function<void(const std::string&)> report = [](const std::string&) {};
};

// Runs the collectors and keeps the last page. Thread-safe: one caller
// refreshes the page and the others wait for it.
class Snapshots {
 public:
  Snapshots(std::vector<std::unique_ptr<Collector>> collectors,
            SnapshotSettings settings, const Clock& clock);

  std::string Page(MetricFormat format);

 private:
  void Refresh();
  void ReportChange(const std::string& name, const CollectorState& before,
                    const CollectorState& after) const;
  void AddOwn();

  const SnapshotSettings settings_;
  const Clock& clock_;
  std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<CollectorThread>> collectors_;
  MetricBatch own_;
  std::optional<std::chrono::nanoseconds> taken_;
  std::chrono::system_clock::time_point taken_wall_;
  uint64_t count_ = 0;
};

}  // namespace mete
