// Exports the metrics of the EdgeCloud-Mon characterization agent under their
// original names, so its dashboards and the PEPPER profiler keep working.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/collector.h"
#include "agent/device_identity.h"
#include "linux/energy_sum.h"
#include "linux/power_rails.h"
#include "linux/system_root.h"
#include "support/clock.h"

namespace mete {

// Configured location of the node. Fields that are not configured are empty.
struct NodeLocation {
  std::string city;
  std::string country;
  std::string continent;
  std::string latitude;
  std::string longitude;
  bool known() const { return !city.empty() || !country.empty(); }
};
// Parses "city=Athens,country=Greece". Fails with kInvalidInput for unknown
// keys.
Result<NodeLocation> ParseLocation(std::string_view text);

// Name and version of an operating system: "Debian GNU/Linux" and "12
// (bookworm)".
struct OsName {
  std::string name;
  std::string version;
};
OsName SplitOsName(const std::string& pretty);

// Describes the node: model, memory, cores, power, location, disk, OS and GPUs.
class CharacterizationCollector final : public Collector {
 public:
  CharacterizationCollector(DeviceIdentity identity, NodeLocation location,
                            const SystemRoot& root, const Clock& clock);

  std::string_view name() const override { return "characterization"; }
  Status Collect(MetricBatch& batch) override;

 private:
  MetricLabels Labels() const;
  MetricLabels CpuLabels() const;
  void AddFacts(MetricBatch& batch) const;
  void AddGpus(MetricBatch& batch) const;
  void AddBattery(MetricBatch& batch);
  void AddPower(MetricBatch& batch);
  std::optional<Watts> CpuPower();

  const DeviceIdentity identity_;
  const NodeLocation location_;
  const SystemRoot root_;
  const Clock& clock_;
  std::vector<BatteryMeter> batteries_;
  std::vector<EnergyMeter> energy_;
  std::vector<PowerMeter> rails_;
  EnergySum sum_;  // of the processor's packages
  struct Energy {
    std::optional<double> joules;
    std::chrono::nanoseconds at{0};
  };
  Energy reported_;  // at the last collection
};

}  // namespace mete
