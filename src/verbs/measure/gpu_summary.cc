#include "measure/gpu_summary.h"

#include <algorithm>
#include <functional>

namespace mete {
namespace {

// Sums one member over all GPUs; absent when no GPU reports it.
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
  int reporting = 0;
  for (const GpuSample& gpu : machine.gpus) {
    if (!gpu.utilization) continue;
    sum += *gpu.utilization;
    ++reporting;
  }
  if (reporting == 0) return std::nullopt;
  return sum / reporting;
}

template <typename Value>
void Raise(std::optional<Value>& peak, const std::optional<Value>& value) {
  if (value && (!peak || *peak < *value)) peak = value;
}

}  // namespace

std::optional<GpuSummary> SummariseGpus(const std::vector<UsageSample>& samples,
                                        const MachineSample& last) {
  if (last.gpus.empty()) return std::nullopt;
  GpuSummary summary;
  for (const GpuSample& gpu : last.gpus) summary.names.push_back(gpu.name);
  double sum = 0;
  size_t reporting = 0;
  for (const UsageSample& sample : samples) {
    auto utilization = MeanUtilization(sample.machine);
    if (utilization) {
      sum += *utilization;
      ++reporting;
    }
    Raise(summary.peak_utilization, utilization);
    Raise(summary.peak_memory,
          Sum(sample.machine, &GpuSample::memory_used, AddBytes));
    Raise(summary.application_peak_memory, sample.usage.gpu_memory);
  }
  if (reporting > 0) {
    summary.mean_utilization = sum / static_cast<double>(reporting);
  }
  summary.total_memory = Sum(last, &GpuSample::memory_total, AddBytes);
  auto joules = Sum(last, &GpuSample::joules, std::plus<>());
  if (joules) summary.energy = Joules{*joules};
  return summary;
}

std::optional<Bytes> SumGpuMemory(const std::vector<int>& processes,
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
