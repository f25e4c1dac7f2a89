// Metrics of containers, systemd services and workloads measured by mete. Every
// series has the labels node, container and runtime, and under Kubernetes also
// pod, namespace and pod_name.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr std::string_view kContainerLabels =
    "container, runtime, pod, namespace, pod_name";

inline constexpr MetricFamily kContainers{
    .name = "mete_containers",
    .help = "Containers, systemd services and cgroups of mete that were found.",
    .caveat =
        "New ones are found within 5 s. Nested containers are part of the "
        "outer one."};
inline constexpr MetricFamily kContainersLeftOut{
    .name = "mete_containers_left_out",
    .help = "Containers that were found but are not exported.",
    .caveat = "Above 0 if there are more containers than the agent's limit."};
inline constexpr MetricFamily kContainerInfo{
    .name = "mete_container_info",
    .labels = "container, id, runtime, pod, pod_name, namespace, name, group",
    .help = "Always 1; the labels identify the container.",
    .caveat =
        "Names of Docker containers require an agent that runs as root; names "
        "of Podman containers are not available. Names under Kubernetes come "
        "from the log directories. Long cgroup paths are shortened in the "
        "middle."};

inline constexpr MetricFamily kContainerCpu{
    .name = "mete_container_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "CPU time used by the container, summed over all cores.",
    .caveat =
        "Restarts from 0 with a new cgroup, for example when a service is "
        "restarted."};
inline constexpr MetricFamily kContainerCpuUser{
    .name = "mete_container_cpu_user_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "CPU time of the container in user mode.",
    .caveat =
        "On cgroup v1 in steps of 10 ms and read every 5 s. User and system "
        "time may not add up to the total."};
inline constexpr MetricFamily kContainerCpuSystem{
    .name = "mete_container_cpu_system_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "CPU time of the container in kernel mode.",
    .caveat = "In steps of 10 ms on cgroup v1."};
inline constexpr MetricFamily kContainerPeriods{
    .name = "mete_container_cpu_periods_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Scheduling periods in which the container ran under a CPU quota.",
    .caveat = "0 without a quota. Read every 5 s on cgroup v1."};
inline constexpr MetricFamily kContainerThrottledPeriods{
    .name = "mete_container_cpu_throttled_periods_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help =
        "Scheduling periods in which the container was throttled by its CPU "
        "quota.",
    .caveat =
        "Throttling by the quota of a parent cgroup is counted only there. "
        "Read every 5 s on cgroup v1."};
inline constexpr MetricFamily kContainerThrottled{
    .name = "mete_container_cpu_throttled_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = kContainerLabels,
    .help = "Time for which the container was throttled by its CPU quota.",
    .caveat =
        "Summed over cores, so it may grow by more than one second per second. "
        "Read every 5 s on cgroup v1."};
inline constexpr MetricFamily kContainerCpuLimit{
    .name = "mete_container_cpu_limit_cores",
    .unit = "cores",
    .labels = kContainerLabels,
    .help = "CPU limit of the container: its quota divided by the period.",
    .caveat =
        "Absent without a quota. The limit of a parent cgroup may be tighter. "
        "Read every 15 s."};

inline constexpr MetricFamily kContainerMemory{
    .name = "mete_container_memory_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Memory charged to the container, including page cache.",
    .caveat =
        "Page cache is charged to the cgroup that first read the file and is "
        "reclaimed when memory is short; see the working set."};
inline constexpr MetricFamily kContainerWorkingSet{
    .name = "mete_container_memory_working_set_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help =
        "Memory charged to the container without inactive page cache, as "
        "computed by kubelet.",
    .caveat =
        "Inactive page cache is read every 5 s, so the value lags slightly "
        "while memory use changes quickly. Never below 0."};
inline constexpr MetricFamily kContainerAnonymous{
    .name = "mete_container_memory_anonymous_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help =
        "Memory of the container that no file backs: heaps, stacks, tmpfs and "
        "shared memory.",
    .caveat = "The kernel updates it in batches. Read every 5 s."};
inline constexpr MetricFamily kContainerFile{
    .name = "mete_container_memory_file_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Page cache charged to the container, without tmpfs.",
    .caveat =
        "Pages that another cgroup read first are charged there, so a "
        "container can use files that this does not count. Read every 5 s."};
inline constexpr MetricFamily kContainerKernel{
    .name = "mete_container_memory_kernel_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help =
        "Kernel memory charged to the container: page tables, sockets, slabs.",
    .caveat = "Absent on cgroup v2 before Linux 5.18. Read every 5 s."};
inline constexpr MetricFamily kContainerPeak{
    .name = "mete_container_memory_peak_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Highest memory use of the container, as recorded by the kernel.",
    .caveat = "Includes page cache. Absent on cgroup v2 before Linux 5.19."};
inline constexpr MetricFamily kContainerMemoryLimit{
    .name = "mete_container_memory_limit_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Memory limit of the container.",
    .caveat =
        "Absent without a limit. The limit of a parent cgroup may be tighter. "
        "Read every 15 s."};
inline constexpr MetricFamily kContainerSwap{
    .name = "mete_container_memory_swap_bytes",
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Memory of the container that is in swap.",
    .caveat =
        "Absent if the kernel does not account for swap. Read every 5 s."};
inline constexpr MetricFamily kContainerOomKills{
    .name = "mete_container_oom_kills_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Processes of the container killed by the OOM killer.",
    .caveat =
        "On cgroup v1 without kills in child cgroups. If a container ends with "
        "the kill, its count disappears with it. Read every 15 s."};
inline constexpr MetricFamily kContainerFaults{
    .name = "mete_container_page_faults_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Page faults of the container, minor and major.",
    .caveat = "Most are first uses of memory and harmless. Read every 5 s."};
inline constexpr MetricFamily kContainerMajorFaults{
    .name = "mete_container_major_page_faults_total",
    .kind = MetricKind::kCounter,
    .labels = kContainerLabels,
    .help = "Page faults of the container that had to wait for a disk.",
    .caveat =
        "A high rate means that memory is short or that programs are starting. "
        "Read every 5 s."};

inline constexpr MetricFamily kContainerRead{
    .name = "mete_container_io_read_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Bytes the container read from storage.",
    .caveat =
        "Reads from the page cache, network file systems or memory (zram) are "
        "not counted. Absent on cgroup v1 while the kernel lists no device. "
        "Read every 5 s."};
inline constexpr MetricFamily kContainerWritten{
    .name = "mete_container_io_written_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = kContainerLabels,
    .help = "Bytes the container wrote to storage.",
    .caveat =
        "On cgroup v1 later writeback from the page cache, usually most of the "
        "writes, is not counted, and it is absent while the kernel lists no "
        "device. Read every 5 s."};
inline constexpr MetricFamily kContainerTasks{
    .name = "mete_container_tasks",
    .labels = kContainerLabels,
    .help = "Processes and threads in the container.",
    .caveat =
        "Counted as in pids.max, that is including threads. Read every 5 s."};
inline constexpr MetricFamily kContainerPressure{
    .name = "mete_container_pressure_stalled_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = "container, runtime, pod, namespace, pod_name, resource, stalled",
    .help =
        "Time in which some or all (full) tasks of the container were stalled "
        "on CPU, memory or I/O.",
    .caveat =
        "Requires cgroup v2; absent with the kernel parameter psi=0. Read "
        "every 5 s."};

inline constexpr std::array kContainerFamilies = {
    &kContainers,           &kContainersLeftOut,
    &kContainerInfo,        &kContainerCpu,
    &kContainerCpuUser,     &kContainerCpuSystem,
    &kContainerPeriods,     &kContainerThrottledPeriods,
    &kContainerThrottled,   &kContainerCpuLimit,
    &kContainerMemory,      &kContainerWorkingSet,
    &kContainerAnonymous,   &kContainerFile,
    &kContainerKernel,      &kContainerPeak,
    &kContainerMemoryLimit, &kContainerSwap,
    &kContainerOomKills,    &kContainerFaults,
    &kContainerMajorFaults, &kContainerRead,
    &kContainerWritten,     &kContainerTasks,
    &kContainerPressure};

}  // namespace mete
