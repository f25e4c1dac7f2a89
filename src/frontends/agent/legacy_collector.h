// Tells what the predecessor's live profiling told, under its names.
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

class LegacyCollector final : public Collector {
 public:
  // `book` may be null: then no application is told. Both outlive it.
  LegacyCollector(std::string device, const SystemRoot& root,
                  ApplicationBook* book, const Clock& clock);

  std::string_view name() const override { return "legacy"; }
  Status Collect(MetricBatch& batch) override;

 private:
  // A family whose name is made while the program runs.
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
  std::deque<NamedFamily> families_;  // stay where they are
  std::map<std::string, const MetricFamily*> by_name_;
};

}  // namespace mete
