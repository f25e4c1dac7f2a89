// The pages that scrapes are answered with: all collectors asked at once, at
// most so often, each with its deadline.
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

struct SnapshotSettings {
  // A page that is not older is handed out again.
  std::chrono::milliseconds max_age{500};
  // For each collector; shorter than any scrape's timeout.
  std::chrono::milliseconds patience{2000};
  // Told when a collector begins to fail, and when it is well again.
  std::function<void(const std::string&)> report = [](const std::string&) {};
};

// From several threads; one of them reads anew and the others wait for it.
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
