// Samples the machine mete runs on from /proc and /sys.
#pragma once

#include <memory>
#include <vector>

#include "linux/energy_sum.h"
#include "linux/host_usage_reader.h"
#include "linux/system_root.h"
#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// Additional sources of samples, used in this order.
struct MachineSources {
  std::vector<std::unique_ptr<MachineSource>> present;
  std::vector<AbsentProbe> absent;
};

// Samples the whole machine.
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
