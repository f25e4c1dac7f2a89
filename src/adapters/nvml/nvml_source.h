// NVIDIA GPUs as a source of machine samples.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/nvml/nvml_library.h"
#include "linux/energy_sum.h"
#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// Adds the state of all NVIDIA GPUs to samples.
class NvmlSource final : public MachineSource {
 public:
  // Fails like NvmlLibrary::Open, and with kNotFound when there is no GPU.
  // `clock` must outlive the source.
  static Result<std::unique_ptr<MachineSource>> Open(const std::string& library,
                                                     const Clock& clock);

  // Energy counts from the first call: by the GPU's own counter (Volta and
  // later), otherwise from power integrated over the time between calls.
  void AddTo(MachineSample& sample) override;

 private:
  // Name and energy of one GPU.
  struct Gpu {
    std::string name;
    EnergySum energy;
  };
  NvmlSource(NvmlLibrary library, const Clock& clock, unsigned devices);
  std::optional<double> SumEnergy(unsigned device, std::optional<Watts> power,
                                  std::chrono::nanoseconds now);

  NvmlLibrary library_;
  const Clock& clock_;
  std::vector<Gpu> gpus_;
};

}  // namespace mete
