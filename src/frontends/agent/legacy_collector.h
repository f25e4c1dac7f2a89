// Exports the metrics of WaAP's live profiling under their original names.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "agent/application_book.h"
#include "agent/collector.h"
#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {

// Exports memory and CPU use of the device and the last value of every
// application metric.
class LegacyCollector final : public Collector {
 public:
  // Without a `book`, no applications are exported. `book` and `clock` must
  // outlive it.
  LegacyCollector(std::string device, const SystemRoot& root,
                  ApplicationBook* book, const Clock& clock);

  std::string_view name() const override { return "legacy"; }
  Status Collect(MetricBatch& batch) override;

 private:
  // A family whose name is created at run time.
  struct NamedFamily {
    std::string name;
    MetricFamily family;
  };
  const MetricFamily& FamilyFor(const std::string& name,
                                const MetricFamily& kind);
  void AddCpu(MetricBatch& batch);
  void AddApplication(const LiveApplication& application, MetricBatch& batch);

  const std::string device_;
  ApplicationBook* const book_;
  const Clock& clock_;
  WatchedFile stat_;
  WatchedFile meminfo_;
  std::optional<Seconds> busy_;  // of all cores, at the last collection
  std::chrono::nanoseconds busy_at_{0};
  std::deque<NamedFamily> families_;  // a deque: addresses stay valid
  std::map<std::string, const MetricFamily*> by_name_;
};

}  // namespace mete
