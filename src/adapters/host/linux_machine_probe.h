// The machine mete runs on, sampled from /proc and /sys.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "linux/energy.h"
#include "linux/host_usage_reader.h"
#include "linux/power_rails.h"
#include "linux/system_root.h"
#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// Sums energy over time from what a machine has: counters, or power.
class EnergySum {
 public:
  // The joules since the first call; absent when the machine tells nothing.
  std::optional<double> Add(const std::vector<EnergyCounter>& counters,
                            std::optional<Watts> power,
                            std::chrono::nanoseconds now);

 private:
  std::vector<EnergyCounter> counters_;
  std::optional<Watts> power_;
  std::chrono::nanoseconds at_{0};
  bool begun_ = false;
  double joules_ = 0;
};

// The rail that feeds everything, or the battery; absent when none is known to.
std::optional<PowerRail> WholeMachineRail(
    const std::vector<PowerRail>& rails, const std::vector<Battery>& batteries);

// What else is asked about the machine, in this order.
struct MachineSources {
  std::vector<std::unique_ptr<MachineSource>> present;
  std::vector<AbsentProbe> absent;
};

class LinuxMachineProbe final : public MachineProbe {
 public:
  LinuxMachineProbe(SystemRoot root, const Clock& clock,
                    MachineSources sources = {})
      : reader_(std::move(root)), clock_(clock), sources_(std::move(sources)) {}
  MachineSample Read() override;
  std::vector<AbsentProbe> AbsentProbes() const override {
    return sources_.absent;
  }

 private:
  HostUsageReader reader_;
  const Clock& clock_;
  EnergySum energy_;
  MachineSources sources_;
};

}  // namespace mete
