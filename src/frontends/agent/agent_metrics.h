// What the agent tells about itself.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kBuildInfo{
    .name = "mete_build_info",
    .labels = "version, compiler, architecture",
    .help = "1; the labels tell which build answers."};
inline constexpr MetricFamily kCollectorSuccess{
    .name = "mete_agent_collector_success",
    .labels = "collector",
    .help = "Whether a collector came back in time and did not fail.",
    .caveat =
        "1 does not mean that every file could be read, or that there was "
        "anything to tell."};
inline constexpr MetricFamily kCollectorDuration{
    .name = "mete_agent_collector_duration_seconds",
    .unit = "seconds",
    .labels = "collector",
    .help = "How long a collector took when it last came back."};
inline constexpr MetricFamily kCollectorTimeouts{
    .name = "mete_agent_collector_timeouts_total",
    .kind = MetricKind::kCounter,
    .labels = "collector",
    .help = "Snapshots for which a collector did not come back in time."};
inline constexpr MetricFamily kSnapshotTime{
    .name = "mete_agent_snapshot_timestamp_seconds",
    .unit = "seconds",
    .help = "When the figures of this page were read, since 1970."};
inline constexpr MetricFamily kSnapshots{
    .name = "mete_agent_snapshots_total",
    .kind = MetricKind::kCounter,
    .help = "How often the figures were read anew.",
    .caveat = "Scrapes answered from an earlier snapshot do not count."};
inline constexpr MetricFamily kProcessCpu{
    .name = "process_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .help = "CPU time the agent itself has used."};
inline constexpr MetricFamily kProcessMemory{
    .name = "process_resident_memory_bytes",
    .unit = "bytes",
    .help = "Memory the agent itself holds."};
inline constexpr MetricFamily kProcessStart{
    .name = "process_start_time_seconds",
    .unit = "seconds",
    .help = "When the agent was started, since 1970."};
inline constexpr MetricFamily kProcessFiles{
    .name = "process_open_fds", .help = "Descriptors the agent has open."};

inline constexpr std::array kAgentFamilies = {
    &kBuildInfo,         &kCollectorSuccess, &kCollectorDuration,
    &kCollectorTimeouts, &kSnapshotTime,     &kSnapshots,
    &kProcessCpu,        &kProcessMemory,    &kProcessStart,
    &kProcessFiles};

}  // namespace mete
