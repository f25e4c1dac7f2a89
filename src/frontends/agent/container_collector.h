// Exports the resource use of containers, systemd services and workloads
// measured by mete, read from their cgroups.
#pragma once

#include <map>
#include <string>

#include "agent/collector.h"
#include "agent/container_watch.h"

namespace mete {

// Exports the containers found by a ContainerWatch.
class ContainerCollector final : public Collector {
 public:
  // `node` is a label of every series. `clock` must outlive the collector.
  ContainerCollector(std::string node, const SystemRoot& root,
                     const Clock& clock, ContainerWatchSettings settings = {});

  std::string_view name() const override { return "containers"; }
  // Fails with kUnsupported if no cgroups are mounted. Succeeds on a machine
  // without containers.
  Status Collect(MetricBatch& batch) override;

 private:
  // Created once per container and again when it is renamed.
  struct Labels {
    MetricLabels usual;
    MetricLabels info;
    uint64_t renamed = 0;
    uint64_t seen = 0;  // number of the collection
  };
  const Labels& LabelsFor(const WatchedContainer& container);
  void Add(const WatchedContainer& container, MetricBatch& batch);

  const std::string node_;
  ContainerWatch watch_;
  std::map<std::string, Labels, std::less<>> labels_;  // by cgroup
  uint64_t collections_ = 0;
};

}  // namespace mete
