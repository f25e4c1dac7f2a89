// Reads the usage of a machine repeatedly at low cost.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "linux/host_usage.h"
#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

// Keeps files open. Looks for sensors, cores, disks and interfaces only every
// few seconds, so a new one appears with a short delay. Not thread-safe.
class HostUsageReader {
 public:
  explicit HostUsageReader(SystemRoot root);

  // `now` is monotonic time.
  HostUsage Read(std::chrono::nanoseconds now);

 private:
  void FindSources();
  std::vector<BlockDevice> ReadStorage();

  SystemRoot root_;
  std::optional<std::chrono::nanoseconds> found_at_;
  WatchedFile stat_;
  WatchedFile meminfo_;
  WatchedFile cpu_pressure_;
  WatchedFile memory_pressure_;
  WatchedFile io_pressure_;
  InterfaceReader interfaces_;
  BlockDeviceReader disks_;
  std::vector<CoreClock> clocks_;
  std::vector<Thermometer> thermometers_;
  std::vector<EnergyMeter> energy_;
  std::vector<PowerMeter> rails_;
  std::vector<BatteryMeter> batteries_;
};

}  // namespace mete
