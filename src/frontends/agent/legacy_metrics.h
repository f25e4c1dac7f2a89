// The metrics of WaAP's live profiling. They are exported only with --compat,
// because their names break today's Prometheus naming rules.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kTegraRam{.name = "TegraRAMUsage",
                                        .unit = "MB",
                                        .labels = "testbed_device",
                                        .help = "Memory in use, in MiB."};
inline constexpr MetricFamily kTegraCpu{
    .name = "TegraCPUUsage",
    .unit = "percent",
    .labels = "testbed_device",
    .help =
        "CPU use since the last snapshot, summed over cores, in percent: four "
        "busy cores are 400.",
    .caveat = "Absent in the first snapshot."};
inline constexpr MetricFamily kLegacyGpuUsed{
    .name = "GPUMemoryUsage",
    .unit = "bytes",
    .labels = "testbed_device",
    .help = "Memory in use, summed over all GPUs.",
    .caveat = "WaAP reported the free memory under this name."};
inline constexpr MetricFamily kLegacyGpuTotal{
    .name = "GPUMemoryTotal",
    .unit = "bytes",
    .labels = "testbed_device",
    .help = "Total memory, summed over all GPUs."};
// These two stand for one family per application and metric.
inline constexpr MetricFamily kLegacyAppValue{
    .name = "app{N}_{metric}_value",
    .help =
        "Last value sent by application N. Applications are numbered in the "
        "order in which they appeared.",
    .caveat = "N may change when the agent restarts: prefer mete_app_*."};
inline constexpr MetricFamily kLegacyAppTime{
    .name = "app{N}_{metric}_timestamp",
    .unit = "seconds",
    .help = "Unix time of the last value sent by application N."};

inline constexpr std::array kLegacyFamilies = {
    &kTegraRam,       &kTegraCpu,       &kLegacyGpuUsed,
    &kLegacyGpuTotal, &kLegacyAppValue, &kLegacyAppTime};

}  // namespace mete
