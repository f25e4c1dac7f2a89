// What the agent tells about the device itself. Every series also has the
// label `node`.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kDeviceInfo{
    .name = "mete_device_info",
    .labels =
        "uuid, class, kind, architecture, cpu_model, board, os, kernel, "
        "emulated",
    .help = "1; the labels tell what the device is.",
    .caveat =
        "The uuid names the installation, not the hardware: it changes "
        "with a new machine id."};
inline constexpr MetricFamily kDeviceCores{
    .name = "mete_device_cores",
    .help = "Cores that processes may use.",
    .caveat = "A quota of the agent's own control group is not counted."};
inline constexpr MetricFamily kDeviceMaxFrequency{
    .name = "mete_device_max_frequency_hertz",
    .unit = "hertz",
    .help = "The highest clock of the fastest core.",
    .caveat = "Absent on most virtual machines."};
inline constexpr MetricFamily kDeviceMemory{.name = "mete_device_memory_bytes",
                                            .unit = "bytes",
                                            .help = "Memory of the device."};
inline constexpr MetricFamily kDeviceMemoryAvailable{
    .name = "mete_device_memory_available_bytes",
    .unit = "bytes",
    .help =
        "Memory that new processes can have without swapping, as the "
        "kernel estimates it."};
inline constexpr MetricFamily kDeviceSwap{
    .name = "mete_device_swap_bytes", .unit = "bytes", .help = "Swap space."};
inline constexpr MetricFamily kDeviceSwapUsed{
    .name = "mete_device_swap_used_bytes",
    .unit = "bytes",
    .help = "Swap space in use."};
inline constexpr MetricFamily kDeviceCpu{
    .name = "mete_device_cpu_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = "core, mode",
    .help = "Time each core spent in user, system, idle, iowait and steal.",
    .caveat =
        "Nice and guests are part of user, interrupts of system; in "
        "steps of 10 ms."};
inline constexpr MetricFamily kDeviceFrequency{
    .name = "mete_device_core_frequency_hertz",
    .unit = "hertz",
    .labels = "core",
    .help = "The clock of a core at this moment.",
    .caveat = "Between scrapes it may have been another."};
inline constexpr MetricFamily kDeviceLoad{
    .name = "mete_device_load_average",
    .labels = "window",
    .help =
        "Tasks that ran or waited for the processor or the disk, on "
        "average.",
    .caveat = "Not a share of the cores: tasks waiting for disks count."};
inline constexpr MetricFamily kDeviceReceived{
    .name = "mete_device_network_received_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "interface, physical",
    .help = "Bytes an interface received.",
    .caveat =
        "A bridge counts again what its members count: sum the physical "
        "ones."};
inline constexpr MetricFamily kDeviceSent{
    .name = "mete_device_network_sent_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "interface, physical",
    .help = "Bytes an interface sent.",
    .caveat = "See mete_device_network_received_bytes_total."};
inline constexpr MetricFamily kDeviceRead{
    .name = "mete_device_disk_read_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "disk",
    .help = "Bytes read from a disk.",
    .caveat = "Whole disks only; what the page cache answered is not here."};
inline constexpr MetricFamily kDeviceWritten{
    .name = "mete_device_disk_written_bytes_total",
    .kind = MetricKind::kCounter,
    .unit = "bytes",
    .labels = "disk",
    .help = "Bytes written to a disk.",
    .caveat = "What is still in the page cache is not here."};
inline constexpr MetricFamily kDeviceSpace{
    .name = "mete_device_filesystem_size_bytes",
    .unit = "bytes",
    .labels = "mountpoint, fstype",
    .help = "Size of a file system on the device's own disks.",
    .caveat = "File systems of other machines are left out."};
inline constexpr MetricFamily kDeviceSpaceAvailable{
    .name = "mete_device_filesystem_available_bytes",
    .unit = "bytes",
    .labels = "mountpoint, fstype",
    .help = "What is left of it for users other than root."};
inline constexpr MetricFamily kDeviceTemperature{
    .name = "mete_device_temperature_celsius",
    .unit = "celsius",
    .labels = "sensor",
    .help = "What a sensor of the device tells.",
    .caveat = "A sensor that appears as a zone and as a chip is told twice."};
inline constexpr MetricFamily kDeviceThrottles{
    .name = "mete_device_thermal_throttles_total",
    .kind = MetricKind::kCounter,
    .labels = "core",
    .help = "How often a core was slowed down for its heat.",
    .caveat = "Only x86 processors count this."};
inline constexpr MetricFamily kDeviceCooling{
    .name = "mete_device_cooling_ratio",
    .unit = "ratio",
    .labels = "cooler",
    .help = "How far a fan or a slowing-down is on, 0 to 1."};
inline constexpr MetricFamily kDeviceUnderVoltage{
    .name = "mete_device_under_voltage",
    .help = "1 while the supply of a Raspberry Pi is too weak."};
inline constexpr MetricFamily kDevicePower{
    .name = "mete_device_power_watts",
    .unit = "watts",
    .labels = "source",
    .help =
        "Power on a supply rail, or drawn from the battery, at this "
        "moment.",
    .caveat = "Rails may contain each other: do not sum them."};
inline constexpr MetricFamily kDeviceEnergy{
    .name = "mete_device_energy_joules_total",
    .kind = MetricKind::kCounter,
    .unit = "joules",
    .labels = "source",
    .help =
        "Energy since the agent started, by counters of the processor "
        "(rapl/…) or summed from power between snapshots.",
    .caveat =
        "What is summed from power misses what happens between two "
        "snapshots; rapl/… is processor and memory, not the board."};
inline constexpr MetricFamily kDeviceBattery{
    .name = "mete_device_battery_charge_ratio",
    .unit = "ratio",
    .labels = "battery",
    .help = "Charge of a battery, 0 to 1."};
inline constexpr MetricFamily kDevicePressure{
    .name = "mete_device_pressure_stalled_seconds_total",
    .kind = MetricKind::kCounter,
    .unit = "seconds",
    .labels = "resource, stalled",
    .help = "Time in which some or all tasks waited for cpu, memory or io.",
    .caveat = "Absent before Linux 4.20 and where it is switched off."};
inline constexpr MetricFamily kDeviceBoot{
    .name = "mete_device_boot_timestamp_seconds",
    .unit = "seconds",
    .help = "When the device was started, since 1970."};

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
