#include "measure/gpu_figures.h"

#include <algorithm>
#include <functional>

namespace mete {
namespace {

// The sum of what one member tells; absent when no GPU tells it.
template <typename Value, typename Plus>
std::optional<Value> Sum(const MachineSample& machine,
                         std::optional<Value> GpuSample::*member, Plus plus) {
  std::optional<Value> sum;
  for (const GpuSample& gpu : machine.gpus) {
    if (gpu.*member) sum = sum ? plus(*sum, *(gpu.*member)) : *(gpu.*member);
  }
  return sum;
}

Bytes AddBytes(Bytes a, Bytes b) { return {a.count + b.count}; }

std::optional<double> MeanUtilization(const MachineSample& machine) {
  double sum = 0;
  int telling = 0;
  for (const GpuSample& gpu : machine.gpus) {
    if (!gpu.utilization) continue;
    sum += *gpu.utilization;
    ++telling;
  }
  if (telling == 0) return std::nullopt;
  return sum / telling;
}

template <typename Value>
void Raise(std::optional<Value>& peak, const std::optional<Value>& value) {
  if (value && (!peak || *peak < *value)) peak = value;
}

}  // namespace

std::optional<GpuFigures> SummariseGpus(const std::vector<UsageSample>& samples,
                                        const MachineSample& last) {
  if (last.gpus.empty()) return std::nullopt;
  GpuFigures figures;
  for (const GpuSample& gpu : last.gpus) figures.names.push_back(gpu.name);
  double sum = 0;
  size_t telling = 0;
  for (const UsageSample& sample : samples) {
    auto utilization = MeanUtilization(sample.machine);
    if (utilization) {
      sum += *utilization;
      ++telling;
    }
    Raise(figures.peak_utilization, utilization);
    Raise(figures.peak_memory,
          Sum(sample.machine, &GpuSample::memory_used, AddBytes));
    Raise(figures.application_peak_memory, sample.usage.gpu_memory);
  }
  if (telling > 0) {
    figures.mean_utilization = sum / static_cast<double>(telling);
  }
  figures.total_memory = Sum(last, &GpuSample::memory_total, AddBytes);
  auto joules = Sum(last, &GpuSample::joules, std::plus<>());
  if (joules) figures.energy = Joules{*joules};
  return figures;
}

std::optional<Bytes> GpuMemoryOf(const std::vector<int>& processes,
                                 const std::vector<GpuSample>& gpus) {
  std::optional<Bytes> sum;
  if (processes.empty()) return sum;
  for (const GpuSample& gpu : gpus) {
    for (const GpuProcess& process : gpu.processes) {
      if (!sum) sum = Bytes{0};
      if (std::ranges::find(processes, process.pid) != processes.end()) {
        sum->count += process.memory.count;
      }
    }
  }
  return sum;
}

}  // namespace mete
