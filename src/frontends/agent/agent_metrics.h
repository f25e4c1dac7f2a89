// Metrics about the agent itself.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kBuildInfo{
    .name = "mete_build_info",
    .labels = "version, compiler, architecture",
    .help = "Always 1; the labels describe the build of the agent."};
inline constexpr MetricFamily kCollectorSuccess{
    .name = "mete_agent_collector_success",
    .labels = "collector",
    .help =
        "Whether the last run of the collector succeeded within its timeout.",
    .caveat =
        "1 does not mean that every file could be read or that there was "
        "anything to report."};
inline constexpr MetricFamily kCollectorDuration{
    .name = "mete_agent_collector_duration_seconds",
    .unit = "seconds",
    .labels = "collector",
    .help = "Duration of the collector's last completed run."};
inline constexpr MetricFamily kCollectorTimeouts{
    .name = "mete_agent_collector_timeouts_total",
    .kind = MetricKind::kCounter,
    .labels = "collector",
    .help = "Snapshots for which the collector did not finish in time."};
inline constexpr MetricFamily kSnapshotTime{
    .name = "mete_agent_snapshot_timestamp_seconds",
    .unit = "seconds",
    .help = "Unix time at which the metrics on this page were read."};
inline constexpr MetricFamily kSnapshots{
    .name = "mete_agent_snapshots_total",
    .kind = MetricKind::kCounter,
    .help = "Number of times the metrics were read.",
    .caveat = "Scrapes answered from an earlier snapshot are not counted."};
inline constexpr MetricFamily kProcessCpu{
    .name = "process_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .help = "CPU time used by the agent."};
inline constexpr MetricFamily kProcessMemory{
    .name = "process_resident_memory_bytes",
    .unit = "bytes",
    .help = "Resident memory of the agent."};
inline constexpr MetricFamily kProcessStart{
    .name = "process_start_time_seconds",
    .unit = "seconds",
    .help = "Unix time at which the agent was started."};
inline constexpr MetricFamily kProcessFiles{
    .name = "process_open_fds", .help = "Open file descriptors of the agent."};

inline constexpr std::array kAgentFamilies = {
    &kBuildInfo,         &kCollectorSuccess, &kCollectorDuration,
    &kCollectorTimeouts, &kSnapshotTime,     &kSnapshots,
    &kProcessCpu,        &kProcessMemory,    &kProcessStart,
    &kProcessFiles};

}  // namespace mete
