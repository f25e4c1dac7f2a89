// Metrics of GPUs. Every series of a GPU has the labels gpu and name.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kGpus{
    .name = "mete_gpus",
    .help = "Number of GPUs that report metrics.",
    .caveat =
        "NVIDIA GPUs (through the driver) and Jetson boards. Other GPUs are "
        "not supported."};
inline constexpr MetricFamily kGpuUtilization{
    .name = "mete_gpu_utilization_ratio",
    .unit = "ratio",
    .labels = "gpu, name",
    .help = "Share of time in which the GPU was busy, from 0 to 1.",
    .caveat =
        "Averaged by the driver over one second or less. Does not say how much "
        "of the GPU was used while it was busy."};
inline constexpr MetricFamily kGpuMemoryUsed{
    .name = "mete_gpu_memory_used_bytes",
    .unit = "bytes",
    .labels = "gpu, name",
    .help = "GPU memory in use.",
    .caveat = "Absent on Jetson boards, whose GPU uses the device's memory."};
inline constexpr MetricFamily kGpuMemory{
    .name = "mete_gpu_memory_bytes",
    .unit = "bytes",
    .labels = "gpu, name",
    .help = "Total GPU memory.",
    .caveat = "Absent on Jetson boards, whose GPU uses the device's memory."};
inline constexpr MetricFamily kGpuPower{
    .name = "mete_gpu_power_watts",
    .unit = "watts",
    .labels = "gpu, name",
    .help = "Power drawn by the GPU board.",
    .caveat = "Averaged by the driver, on some GPUs over one second."};
inline constexpr MetricFamily kGpuEnergy{
    .name = "mete_gpu_energy_joules_total",
    .kind = MetricKind::kCounter,
    .unit = "joules",
    .labels = "gpu, name",
    .help = "Energy used by the GPU since the agent started.",
    .caveat =
        "From the GPU's energy counter (Volta and later), otherwise integrated "
        "from power readings."};
inline constexpr MetricFamily kGpuTemperature{
    .name = "mete_gpu_temperature_celsius",
    .unit = "celsius",
    .labels = "gpu, name",
    .help = "Temperature of the GPU.",
    .caveat = "Core temperature; the memory may be hotter."};
inline constexpr MetricFamily kGpuProcessMemory{
    .name = "mete_gpu_process_memory_bytes",
    .unit = "bytes",
    .labels = "gpu, pid, process, container, pod",
    .help = "GPU memory used by a process.",
    .caveat =
        "Compute processes only. Names and containers are known only if the "
        "agent shares the host's PID namespace."};
inline constexpr MetricFamily kGpuMemoryBus{
    .name = "mete_gpu_memory_bus_load_ratio",
    .unit = "ratio",
    .help = "Load of the memory bus shared by GPU and processor, from 0 to 1.",
    .caveat = "Jetson boards only (EMC)."};

inline constexpr std::array kGpuFamilies = {
    &kGpus,           &kGpuUtilization,   &kGpuMemoryUsed,
    &kGpuMemory,      &kGpuPower,         &kGpuEnergy,
    &kGpuTemperature, &kGpuProcessMemory, &kGpuMemoryBus};

}  // namespace mete
