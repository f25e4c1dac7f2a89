#include "agent/filesystem_collector.h"

#include "agent/device_metrics.h"

namespace mete {
namespace {

// Mounts rarely change, and the list is long on machines with containers.
constexpr std::chrono::seconds kLookAroundEvery{15};

}  // namespace

Status FilesystemCollector::Collect(MetricBatch& batch) {
  const std::chrono::nanoseconds now = clock_.Now();
  if (!found_at_ || now - *found_at_ >= kLookAroundEvery) {
    found_ = FindFileSystems(root_);
    found_at_ = now;
  }
  for (const FileSystem& one : found_) {
    auto space = ReadSpace(root_, one.mount_point);
    if (!space) continue;
    const MetricLabels labels{
        {"node", node_}, {"mountpoint", one.mount_point}, {"fstype", one.type}};
    batch.Add(kDeviceSpace, labels, static_cast<double>(space->size.count));
    batch.Add(kDeviceSpaceAvailable, labels,
              static_cast<double>(space->available.count));
  }
  return {};
}

}  // namespace mete
