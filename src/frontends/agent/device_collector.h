// Exports what the device is, how busy and hot it is and how much power it
// uses.
#pragma once

#include <map>
#include <string>

#include "agent/collector.h"
#include "agent/device_identity.h"
#include "linux/energy_sum.h"
#include "linux/host_usage_reader.h"
#include "linux/system_root.h"
#include "linux/throttling.h"
#include "linux/watched_file.h"
#include "support/clock.h"

namespace mete {

// Reads /proc and /sys of the device.
class DeviceCollector final : public Collector {
 public:
  DeviceCollector(DeviceIdentity identity, const SystemRoot& root,
                  const Clock& clock);

  std::string_view name() const override { return "device"; }
  // Fails with kUnavailable if the CPU times cannot be read.
  Status Collect(MetricBatch& batch) override;

 private:
  MetricLabels Labels(
      std::initializer_list<std::pair<std::string_view, std::string_view>> more)
      const;
  void AddFacts(MetricBatch& batch) const;
  void AddCores(const HostUsage& usage, MetricBatch& batch) const;
  void AddMemory(const HostMemory& memory, MetricBatch& batch) const;
  void AddTraffic(const HostUsage& usage, MetricBatch& batch) const;
  void AddHeat(const HostUsage& usage, MetricBatch& batch);
  void AddPower(const HostUsage& usage, std::chrono::nanoseconds now,
                MetricBatch& batch);
  void AddPressure(const Pressures& pressure, MetricBatch& batch) const;
  void AddLoad(MetricBatch& batch);

  const DeviceIdentity identity_;
  const Clock& clock_;
  HostUsageReader usage_;
  ThrottlingReader throttling_;
  WatchedFile loadavg_;
  std::optional<double> booted_;
  std::map<std::string, EnergySum> energy_;  // by source
};

}  // namespace mete
