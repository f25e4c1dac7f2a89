// What the agent tells about containers, services of systemd and what mete
// measures. Every series of one has the labels container and runtime, and
// under Kubernetes pod, namespace and pod_name.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr std::string_view kContainerLabels =
    "container, runtime, pod, namespace, pod_name";

inline constexpr MetricFamily kContainers{
    .name = "mete_containers",
    .help = "Containers, services and groups of mete that were found.",
    .caveat =
        "New ones are found within 5 s. Containers inside of containers are "
        "part of the outer one."};
inline constexpr MetricFamily kContainersLeftOut{
    .name = "mete_containers_left_out",
    .help = "Of those, how many are not told about.",
    .caveat = "Above 0 when there are more than the agent takes on."};
inline constexpr MetricFamily kContainerInfo{
    .name = "mete_container_info",
    .labels = "container, id, runtime, pod, pod_name, namespace, name, group",
    .help = "1; the labels tell which container it is.",
    .caveat =
        "Names of docker containers are known to an agent that runs as root "
        "alone, names of podman's not at all; those of Kubernetes come from "
        "the folders of logs. Long groups are shortened in the middle."};

inline constexpr MetricFamily kContainerCpu{
    .name = "mete_container_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "Time its processes ran, over all cores.",
    .caveat = "Starts from 0 with a new group: when a service is restarted."};
inline constexpr MetricFamily kContainerCpuUser{
    .name = "mete_container_cpu_user_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "Time spent in programs.",
    .caveat =
        "Under version 1 of control groups in steps of 10 ms and read every "
        "5 s; with the system's it need not add up to the total."};
inline constexpr MetricFamily kContainerCpuSystem{
    .name = "mete_container_cpu_system_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "Time spent in the kernel on behalf of its processes.",
    .caveat = "In steps of 10 ms under version 1 of control groups."};
inline constexpr MetricFamily kContainerPeriods{
    .name = "mete_container_cpu_periods_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Periods in which it ran under a CPU quota.",
    .caveat = "0 without a quota. Under version 1 read every 5 s."};
inline constexpr MetricFamily kContainerThrottledPeriods{
    .name = "mete_container_cpu_throttled_periods_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Periods in which the quota was used up.",
    .caveat =
        "A quota of a group above it counts there alone. Under version 1 read "
        "every 5 s."};
inline constexpr MetricFamily kContainerThrottled{
    .name = "mete_container_cpu_throttled_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "Time its processes had to wait for the next period.",
    .caveat =
        "Summed over cores: it may grow by more than a second in a second. "
        "Under version 1 read every 5 s."};
inline constexpr MetricFamily kContainerCpuLimit{
    .name = "mete_container_cpu_limit_cores",
    .unit = "cores",
    .labels = kContainerLabels,
    .help = "Its CPU quota over the period.",
    .caveat =
        "Absent without a quota; one of a group above it may be tighter. Read "
        "every 15 s."};

inline constexpr MetricFamily kContainerMemory{
    .name = "mete_container_memory_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Memory charged to it, page cache included.",
    .caveat =
        "Page cache is charged to whoever first read a file, and given back "
        "when memory is short: see the working set."};
inline constexpr MetricFamily kContainerWorkingSet{
    .name = "mete_container_memory_working_set_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help =
        "Memory without page cache that was not used lately, as kubelet "
        "computes it.",
    .caveat =
        "What is taken off is read every 5 s: under heavy change it is off a "
        "little; never below 0."};
inline constexpr MetricFamily kContainerPeak{
    .name = "mete_container_memory_peak_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "The most memory that was ever charged to it.",
    .caveat = "Page cache included. Absent under version 2 before Linux 5.19."};
inline constexpr MetricFamily kContainerMemoryLimit{
    .name = "mete_container_memory_limit_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "The most memory it may have.",
    .caveat =
        "Absent without a limit; one of a group above it may be tighter. Read "
        "every 15 s."};
inline constexpr MetricFamily kContainerSwap{
    .name = "mete_container_memory_swap_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Memory of it that is in swap.",
    .caveat = "Absent where the kernel does not account swap. Read every 5 s."};
inline constexpr MetricFamily kContainerOomKills{
    .name = "mete_container_oom_kills_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Processes killed for want of memory.",
    .caveat =
        "Under version 1 without those of groups below it. A container that "
        "ends with the kill takes the count along. Read every 15 s."};
inline constexpr MetricFamily kContainerFaults{
    .name = "mete_container_page_faults_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Page faults, those without any reading included.",
    .caveat =
        "Mostly first uses of memory, which is no trouble. Read every 5 s."};
inline constexpr MetricFamily kContainerMajorFaults{
    .name = "mete_container_major_page_faults_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Page faults that had to wait for a disk.",
    .caveat =
        "Many of them: memory is short, or programs are starting. Read every "
        "5 s."};

inline constexpr MetricFamily kContainerRead{
    .name = "mete_container_io_read_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Bytes read from storage.",
    .caveat =
        "What comes from the page cache, a network file system or memory "
        "(zram) is not counted. Read every 5 s."};
inline constexpr MetricFamily kContainerWritten{
    .name = "mete_container_io_written_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Bytes written to storage.",
    .caveat =
        "Version 1 misses what is written back later from the page cache: "
        "most of it. Read every 5 s."};
inline constexpr MetricFamily kContainerTasks{
    .name = "mete_container_tasks",
    .labels = kContainerLabels,
    .help = "Its processes and threads.",
    .caveat = "What its limit on pids counts: threads too. Read every 5 s."};
inline constexpr MetricFamily kContainerPressure{
    .name = "mete_container_pressure_stalled_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = "container, runtime, pod, namespace, pod_name, resource, stalled",
    .help =
        "Time in which some or all (full) of its tasks waited for cpu, memory "
        "or io.",
    .caveat =
        "Version 2 of control groups alone, and not with psi=0. Read every 5 "
        "s."};

inline constexpr std::array<const MetricFamily*, 22> kContainerFamilies{
    &kContainers,        &kContainersLeftOut,         &kContainerInfo,
    &kContainerCpu,      &kContainerCpuUser,          &kContainerCpuSystem,
    &kContainerPeriods,  &kContainerThrottledPeriods, &kContainerThrottled,
    &kContainerCpuLimit, &kContainerMemory,           &kContainerWorkingSet,
    &kContainerPeak,     &kContainerMemoryLimit,      &kContainerSwap,
    &kContainerOomKills, &kContainerFaults,           &kContainerMajorFaults,
    &kContainerRead,     &kContainerWritten,          &kContainerTasks,
    &kContainerPressure};

}  // namespace mete
