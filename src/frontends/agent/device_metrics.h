// Metrics of the device itself. Every series also has the label `node`.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kDeviceInfo{
    .name = "mete_device_info",
    .labels =
        "uuid, class, kind, architecture, cpu_model, board, os, kernel, "
        "emulated",
    .help = "Always 1; the labels describe the device.",
    .caveat =
        "The UUID identifies the installation, not the hardware: it changes "
        "with the machine ID."};
inline constexpr MetricFamily kDeviceCores{
    .name = "mete_device_cores",
    .help = "Number of logical cores available to processes.",
    .caveat = "A CPU quota on the agent's own cgroup is not considered."};
inline constexpr MetricFamily kDeviceMaxFrequency{
    .name = "mete_device_max_frequency_hertz",
    .unit = "hertz",
    .help = "Maximum clock frequency of the fastest core.",
    .caveat = "Absent on most virtual machines."};
inline constexpr MetricFamily kDeviceMemory{
    .name = "mete_device_memory_bytes",
    .unit = "bytes",
    .help = "Total memory of the device."};
inline constexpr MetricFamily kDeviceMemoryAvailable{
    .name = "mete_device_memory_available_bytes",
    .unit = "bytes",
    .help =
        "Memory available to new processes without swapping, as estimated by "
        "the kernel."};
inline constexpr MetricFamily kDeviceSwap{.name = "mete_device_swap_bytes",
                                          .unit = "bytes",
                                          .help = "Total swap space."};
inline constexpr MetricFamily kDeviceSwapUsed{
    .name = "mete_device_swap_used_bytes",
    .unit = "bytes",
    .help = "Swap space in use."};
inline constexpr MetricFamily kDeviceCpu{
    .name = "mete_device_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = "core, mode",
    .help =
        "Time each core spent in the modes user, system, idle, iowait and "
        "steal.",
    .caveat =
        "Nice and guest time are included in user, interrupts in system. In "
        "steps of 10 ms."};
inline constexpr MetricFamily kDeviceFrequency{
    .name = "mete_device_core_frequency_hertz",
    .unit = "hertz",
    .labels = "core",
    .help = "Current clock frequency of a core.",
    .caveat = "Changes between scrapes are not visible."};
inline constexpr MetricFamily kDeviceLoad{
    .name = "mete_device_load_average",
    .labels = "window",
    .help =
        "Load average: mean number of tasks running or waiting for the "
        "processor or a disk.",
    .caveat =
        "Not a measure of CPU use, because tasks waiting for disks are "
        "counted."};
inline constexpr MetricFamily kDeviceReceived{
    .name = "mete_device_network_received_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "interface, physical",
    .help = "Bytes received by a network interface.",
    .caveat =
        "A bridge counts the traffic of its members again: sum only physical "
        "interfaces."};
inline constexpr MetricFamily kDeviceSent{
    .name = "mete_device_network_sent_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "interface, physical",
    .help = "Bytes sent by a network interface.",
    .caveat = "See mete_device_network_received_bytes_total."};
inline constexpr MetricFamily kDeviceRead{
    .name = "mete_device_disk_read_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "disk",
    .help = "Bytes read from a disk.",
    .caveat =
        "Whole disks only. Reads served from the page cache are not counted."};
inline constexpr MetricFamily kDeviceWritten{
    .name = "mete_device_disk_written_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "disk",
    .help = "Bytes written to a disk.",
    .caveat = "Data that is still in the page cache is not counted."};
inline constexpr MetricFamily kDeviceSpace{
    .name = "mete_device_filesystem_size_bytes",
    .unit = "bytes",
    .labels = "mountpoint, fstype",
    .help = "Size of a file system on a local disk.",
    .caveat = "Network file systems are not included."};
inline constexpr MetricFamily kDeviceSpaceAvailable{
    .name = "mete_device_filesystem_available_bytes",
    .unit = "bytes",
    .labels = "mountpoint, fstype",
    .help = "Space in the file system available to users other than root."};
inline constexpr MetricFamily kDeviceTemperature{
    .name = "mete_device_temperature_celsius",
    .unit = "celsius",
    .labels = "sensor",
    .help = "Temperature reported by the sensor.",
    .caveat =
        "A sensor that is both a thermal zone and a hwmon chip appears twice."};
inline constexpr MetricFamily kDeviceThrottles{
    .name = "mete_device_thermal_throttles_total",
    .kind = MetricKind::kCounter,
    .labels = "core",
    .help = "Number of times a core was throttled because of its temperature.",
    .caveat = "Available only on x86 processors."};
inline constexpr MetricFamily kDeviceCooling{
    .name = "mete_device_cooling_ratio",
    .unit = "ratio",
    .labels = "cooler",
    .help =
        "Current state of a cooling device (a fan or throttling), from 0 (off) "
        "to 1 (maximum)."};
inline constexpr MetricFamily kDeviceUnderVoltage{
    .name = "mete_device_under_voltage",
    .help = "1 while a Raspberry Pi reports under-voltage, 0 otherwise."};
inline constexpr MetricFamily kDevicePower{
    .name = "mete_device_power_watts",
    .unit = "watts",
    .labels = "source",
    .help = "Current power on a supply rail or drawn from the battery.",
    .caveat = "A rail may include another rail: do not sum them."};
inline constexpr MetricFamily kDeviceEnergy{
    .name = "mete_device_energy_joules_total",
    .kind = MetricKind::kCounter,
    .unit = "joules",
    .labels = "source",
    .help =
        "Energy used since the agent started, from processor counters (rapl/…) "
        "or integrated from power readings.",
    .caveat =
        "Integrated values miss changes between two snapshots. rapl/… covers "
        "processor and memory, not the board."};
inline constexpr MetricFamily kDeviceBattery{
    .name = "mete_device_battery_charge_ratio",
    .unit = "ratio",
    .labels = "battery",
    .help = "Battery charge, from 0 to 1."};
inline constexpr MetricFamily kDevicePressure{
    .name = "mete_device_pressure_stalled_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = "resource, stalled",
    .help =
        "Time in which some or all (full) tasks were stalled on CPU, memory or "
        "I/O.",
    .caveat = "Absent before Linux 4.20 or if PSI is disabled."};
inline constexpr MetricFamily kDeviceBoot{
    .name = "mete_device_boot_timestamp_seconds",
    .unit = "seconds",
    .help = "Unix time at which the device was booted."};

inline constexpr std::array kDeviceFamilies = {&kDeviceInfo,
                                               &kDeviceCores,
                                               &kDeviceMaxFrequency,
                                               &kDeviceMemory,
                                               &kDeviceMemoryAvailable,
                                               &kDeviceSwap,
                                               &kDeviceSwapUsed,
                                               &kDeviceCpu,
                                               &kDeviceFrequency,
                                               &kDeviceLoad,
                                               &kDeviceReceived,
                                               &kDeviceSent,
                                               &kDeviceRead,
                                               &kDeviceWritten,
                                               &kDeviceSpace,
                                               &kDeviceSpaceAvailable,
                                               &kDeviceTemperature,
                                               &kDeviceThrottles,
                                               &kDeviceCooling,
                                               &kDeviceUnderVoltage,
                                               &kDevicePower,
                                               &kDeviceEnergy,
                                               &kDeviceBattery,
                                               &kDevicePressure,
                                               &kDeviceBoot};

}  // namespace mete
