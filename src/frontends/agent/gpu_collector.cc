#include "agent/gpu_collector.h"

#include <map>

#include "agent/gpu_metrics.h"
#include "agent/legacy_metrics.h"
#include "agent/sample_value.h"
#include "linux/container_groups.h"

namespace mete {
namespace {

// Each process costs two reads in /proc. Few processes share a GPU.
constexpr size_t kMostProcesses = 256;

}  // namespace

GpuCollector::GpuCollector(std::vector<std::unique_ptr<MachineSource>> sources,
                           const SystemRoot& root,
                           std::optional<std::string> legacy_device)
    : sources_(std::move(sources)),
      root_(root),
      legacy_device_(std::move(legacy_device)) {}

void GpuCollector::AddGpu(const std::string& number, const GpuSample& gpu,
                          MetricBatch& batch) const {
  const MetricLabels labels{{"gpu", number}, {"name", gpu.name}};
  auto add = [&](const MetricFamily& family, const auto& value) {
    if (value) batch.Add(family, labels, ToSampleValue(*value));
  };
  add(kGpuUtilization, gpu.utilization);
  add(kGpuMemoryUsed, gpu.memory_used);
  add(kGpuMemory, gpu.memory_total);
  add(kGpuPower, gpu.power);
  add(kGpuEnergy, gpu.joules);
  add(kGpuTemperature, gpu.celsius);
}

void GpuCollector::AddProcesses(const std::string& number, const GpuSample& gpu,
                                MetricBatch& batch) const {
  // A process that uses several partitions of a GPU is reported once per
  // partition.
  std::map<int, Bytes> memory;
  for (const GpuProcess& process : gpu.processes) {
    if (memory.size() >= kMostProcesses && !memory.contains(process.pid)) {
      continue;
    }
    memory[process.pid].count += process.memory.count;
  }
  for (const auto& [pid, held] : memory) {
    const std::string folder = std::to_string(pid);
    const auto container = ContainerOfProcess(root_, pid);
    batch.Add(
        kGpuProcessMemory,
        {{"gpu", number},
         {"pid", folder},
         {"process", root_.Line("/proc/" + folder + "/comm").value_or("")},
         {"container", container ? container->ShortName() : ""},
         {"pod", container ? container->pod : ""}},
        ToSampleValue(held));
  }
}

void GpuCollector::AddLegacy(const MachineSample& sample,
                             MetricBatch& batch) const {
  std::optional<double> used;
  std::optional<double> total;
  for (const GpuSample& gpu : sample.gpus) {
    if (gpu.memory_used)
      used = used.value_or(0) + ToSampleValue(*gpu.memory_used);
    if (gpu.memory_total) {
      total = total.value_or(0) + ToSampleValue(*gpu.memory_total);
    }
  }
  const MetricLabels labels{{"testbed_device", *legacy_device_}};
  if (used) batch.Add(kLegacyGpuUsed, labels, *used);
  if (total) batch.Add(kLegacyGpuTotal, labels, *total);
}

Status GpuCollector::Collect(MetricBatch& batch) {
  MachineSample sample;
  for (const auto& source : sources_) source->AddTo(sample);
  batch.Add(kGpus, static_cast<double>(sample.gpus.size()));
  for (size_t i = 0; i < sample.gpus.size(); ++i) {
    const std::string number = std::to_string(i);
    AddGpu(number, sample.gpus[i], batch);
    AddProcesses(number, sample.gpus[i], batch);
  }
  if (legacy_device_) AddLegacy(sample, batch);
  if (sample.memory_bus_load) batch.Add(kGpuMemoryBus, *sample.memory_bus_load);
  return {};
}

}  // namespace mete
