// Tells about containers, services of systemd and what mete measures, read
// from their control groups.
#pragma once

#include <map>
#include <string>

#include "agent/collector.h"
#include "agent/container_watch.h"

namespace mete {

class ContainerCollector final : public Collector {
 public:
  // `clock` must outlive the collector.
  ContainerCollector(const SystemRoot& root, const Clock& clock,
                     ContainerWatchSettings settings = {});

  std::string_view name() const override { return "containers"; }
  // Fails with kUnsupported where no control groups are mounted. A machine
  // without any container is none.
  Status Collect(MetricBatch& batch) override;

 private:
  // Made once for each container.
  struct Labels {
    MetricLabels usual;
    MetricLabels info;
    uint64_t renamed = 0;
    uint64_t seen = 0;  // number of the collection
  };
  const Labels& LabelsFor(const WatchedContainer& container);
  void Add(const WatchedContainer& container, MetricBatch& batch);

  ContainerWatch watch_;
  std::map<std::string, Labels, std::less<>> labels_;  // by group
  uint64_t collections_ = 0;
};

}  // namespace mete
