#include "adapters/nvml/nvml_source.h"

#include <utility>

namespace mete {

NvmlSource::NvmlSource(NvmlLibrary library, const Clock& clock,
                       unsigned devices)
    : library_(std::move(library)), clock_(clock) {
  for (unsigned i = 0; i < devices; ++i) {
    gpus_.push_back({.name = library_.Name(i)});
  }
}

Result<std::unique_ptr<MachineSource>> NvmlSource::Open(
    const std::string& library, const Clock& clock) {
  ASSIGN_OR_RETURN(NvmlLibrary opened, NvmlLibrary::Open(library));
  ASSIGN_OR_RETURN(NvidiaAnswer answer, opened.Answer());
  if (answer.devices == 0) return NotFound("the NVIDIA driver reports no GPU");
  return std::unique_ptr<MachineSource>(
      new NvmlSource(std::move(opened), clock, answer.devices));
}

std::optional<double> NvmlSource::SumEnergy(unsigned device,
                                            std::optional<Watts> power,
                                            std::chrono::nanoseconds now) {
  std::vector<EnergyCounter> counters;
  if (auto total = library_.Energy(device)) {
    counters.push_back({.source = "nvml", .total = *total});
  }
  return gpus_[device].energy.Add(counters, power, now);
}

void NvmlSource::AddTo(MachineSample& sample) {
  const std::chrono::nanoseconds now = clock_.Now();
  for (unsigned i = 0; i < gpus_.size(); ++i) {
    auto memory = library_.ReadMemory(i);
    auto power = library_.Power(i);
    GpuSample gpu{.name = gpus_[i].name,
                  .utilization = library_.Utilization(i),
                  .power = power,
                  .joules = SumEnergy(i, power, now),
                  .celsius = library_.Celsius(i),
                  .processes = library_.Processes(i)};
    if (memory) {
      gpu.memory_used = memory->used;
      gpu.memory_total = memory->total;
    }
    sample.gpus.push_back(std::move(gpu));
  }
}

}  // namespace mete
