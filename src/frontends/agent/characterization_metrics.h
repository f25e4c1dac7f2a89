// The metrics of the EdgeCloud-Mon characterization agent, under its names.
// Every series also has the labels char_node_name, char_node_class and
// char_node_uuid.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kCharModel{
    .name = "char_node_device_model",
    .labels = "char_node_device_model_name",
    .help = "1 if the board or computer model is known, 0 otherwise."};
inline constexpr MetricFamily kCharBattery{
    .name = "char_node_battery",
    .unit = "percent",
    .labels = "char_node_plugged_battery",
    .help = "Battery charge in percent; 0 without a battery.",
    .caveat =
        "The label says whether there is a battery, not whether it is "
        "charging."};
inline constexpr MetricFamily kCharRam{.name = "char_node_ram_total_bytes",
                                       .unit = "bytes",
                                       .help = "Total memory of the node."};
inline constexpr MetricFamily kCharCores{
    .name = "char_node_cpu_total_cores",
    .labels = "char_node_brand, char_node_arch, char_node_bits",
    .help = "Logical cores of the node."};
inline constexpr MetricFamily kCharPower{
    .name = "char_node_cpu_energy_watt",
    .unit = "watt",
    .labels = "char_node_brand, char_node_arch, char_node_bits",
    .help = "Mean power of the processor between the last two snapshots.",
    .caveat =
        "Absent if the power is not measured. The power of the whole board if "
        "that is the only measurement."};
inline constexpr MetricFamily kCharLocation{
    .name = "char_node_location",
    .labels =
        "char_node_city, char_node_country, char_node_continent, "
        "char_node_latitude, char_node_longitude",
    .help = "1 if the location of the node is configured, 0 otherwise.",
    .caveat = "Comes from --location; no location service is queried."};
inline constexpr MetricFamily kCharDisk{
    .name = "char_node_disk_total_size",
    .unit = "bytes",
    .help = "Size of the root file system in bytes."};
inline constexpr MetricFamily kCharOs{
    .name = "char_node_os",
    .labels = "char_node_os_name, char_node_os_version",
    .help = "1 if the operating system is known, 0 otherwise."};
inline constexpr MetricFamily kCharGpu{
    .name = "char_node_gpu",
    .labels = "char_node_gpu_model, char_node_gpu_type, char_node_gpu_id",
    .help = "1 for each GPU; 0 and \"not available GPU\" if there is none."};

inline constexpr std::array kCharacterizationFamilies = {
    &kCharModel,    &kCharBattery, &kCharRam, &kCharCores, &kCharPower,
    &kCharLocation, &kCharDisk,    &kCharOs,  &kCharGpu};

}  // namespace mete
