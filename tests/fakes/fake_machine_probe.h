// A machine probe whose energy counter grows with every sample.
#pragma once

#include "ports/machine_probe.h"

namespace mete {

class FakeMachineProbe final : public MachineProbe {
 public:
  MachineSample Read() override {
    MachineSample sample;
    if (joules_per_reading > 0) {
      sample.energy_joules = joules_per_reading * readings_;
      sample.energy_source = source;
    }
    sample.gpus = gpus;
    ++readings_;
    return sample;
  }
  std::vector<AbsentProbe> AbsentProbes() const override { return absent; }

  double joules_per_reading = 0;  // 0: the machine reports no energy
  std::string source = "fake";
  std::vector<GpuSample> gpus;
  std::vector<AbsentProbe> absent;

 private:
  int readings_ = 0;
};

}  // namespace mete
