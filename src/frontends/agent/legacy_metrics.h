// The series of the predecessor's live profiling, told with --compat alone:
// their names follow no rule that Prometheus has today.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kTegraRam{
    .name = "TegraRAMUsage",
    .unit = "MB",
    .labels = "testbed_device",
    .help = "Memory in use, in units of 1024 x 1024 bytes."};
inline constexpr MetricFamily kTegraCpu{
    .name = "TegraCPUUsage",
    .unit = "percent",
    .labels = "testbed_device",
    .help =
        "Sum over the cores of their use since the last snapshot, in "
        "percent: four busy cores are 400.",
    .caveat = "Absent in the first snapshot."};
inline constexpr MetricFamily kLegacyGpuUsed{
    .name = "GPUMemoryUsage",
    .unit = "bytes",
    .labels = "testbed_device",
    .help = "Memory of all GPUs that is in use.",
    .caveat = "The predecessor told the free memory under this name."};
inline constexpr MetricFamily kLegacyGpuTotal{.name = "GPUMemoryTotal",
                                              .unit = "bytes",
                                              .labels = "testbed_device",
                                              .help = "Memory of all GPUs."};
// These two stand for as many families as there are applications and metrics.
inline constexpr MetricFamily kLegacyAppValue{
    .name = "app{N}_{metric}_value",
    .help =
        "The value told last by application N, in the order in which "
        "they appeared.",
    .caveat =
        "N is not stable over a restart of the agent: prefer mete_app_*."};
inline constexpr MetricFamily kLegacyAppTime{
    .name = "app{N}_{metric}_timestamp",
    .unit = "seconds",
    .help = "When that was, since 1970."};

inline constexpr std::array kLegacyFamilies = {
    &kTegraRam,       &kTegraCpu,       &kLegacyGpuUsed,
    &kLegacyGpuTotal, &kLegacyAppValue, &kLegacyAppTime};

}  // namespace mete
