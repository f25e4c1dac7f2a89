// What the agent tells about GPUs. Every series of one has the labels gpu and
// name.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kGpus{
    .name = "mete_gpus",
    .help = "GPUs that tell about themselves.",
    .caveat =
        "NVIDIA's through their driver, and those of Jetson boards; others "
        "are not asked."};
inline constexpr MetricFamily kGpuUtilization{
    .name = "mete_gpu_utilization_ratio",
    .unit = "ratio",
    .labels = "gpu, name",
    .help = "Share of the time in which anything ran on the GPU, 0 to 1.",
    .caveat =
        "Over the last second or less, by the driver; not how much of the GPU "
        "was used while something ran."};
inline constexpr MetricFamily kGpuMemoryUsed{
    .name = "mete_gpu_memory_used_bytes",
    .unit = "bytes",
    .labels = "gpu, name",
    .help = "Memory of the GPU in use.",
    .caveat = "Absent on Jetson boards, whose GPU uses the device's memory."};
inline constexpr MetricFamily kGpuMemory{
    .name = "mete_gpu_memory_bytes",
    .unit = "bytes",
    .labels = "gpu, name",
    .help = "Memory of the GPU.",
    .caveat = "Absent on Jetson boards, whose GPU uses the device's memory."};
inline constexpr MetricFamily kGpuPower{
    .name = "mete_gpu_power_watts",
    .unit = "watts",
    .labels = "gpu, name",
    .help = "Power the GPU's board takes.",
    .caveat = "An average of the driver's, on some GPUs over a second."};
inline constexpr MetricFamily kGpuEnergy{
    .name = "mete_gpu_energy_joules_total",
    .kind = MetricKind::kCounter,
    .unit = "joules",
    .labels = "gpu, name",
    .help = "Energy since the agent's start.",
    .caveat =
        "By the GPU's own counter (Volta and later), else from its power at "
        "each reading."};
inline constexpr MetricFamily kGpuTemperature{
    .name = "mete_gpu_temperature_celsius",
    .unit = "celsius",
    .labels = "gpu, name",
    .help = "How hot the GPU is.",
    .caveat = "Of its core; memory may be hotter."};
inline constexpr MetricFamily kGpuProcessMemory{
    .name = "mete_gpu_process_memory_bytes",
    .unit = "bytes",
    .labels = "gpu, pid, process, container, pod",
    .help = "Memory of the GPU that a process holds.",
    .caveat =
        "Of processes that compute. Names and containers are known where the "
        "agent sees the machine's own process numbers."};
inline constexpr MetricFamily kGpuMemoryBus{
    .name = "mete_gpu_memory_bus_load_ratio",
    .unit = "ratio",
    .help = "Load of the memory bus that GPU and processor share, 0 to 1.",
    .caveat = "Jetson boards alone (EMC)."};

inline constexpr std::array<const MetricFamily*, 9> kGpuFamilies{
    &kGpus,           &kGpuUtilization,   &kGpuMemoryUsed,
    &kGpuMemory,      &kGpuPower,         &kGpuEnergy,
    &kGpuTemperature, &kGpuProcessMemory, &kGpuMemoryBus};

}  // namespace mete
