// The series of the predecessor's characterization agent, by its names. Every
// series also has the labels char_node_name, char_node_class, char_node_uuid.
#pragma once

#include <array>

#include "net/metric_text.h"

namespace mete {

inline constexpr MetricFamily kCharModel{
    .name = "char_node_device_model",
    .labels = "char_node_device_model_name",
    .help = "1 when it is known what board or computer the node is, else 0."};
inline constexpr MetricFamily kCharBattery{
    .name = "char_node_battery",
    .unit = "percent",
    .labels = "char_node_plugged_battery",
    .help = "Charge of the battery in percent; 0 without one.",
    .caveat =
        "The label tells whether there is a battery, not whether it is "
        "being charged."};
inline constexpr MetricFamily kCharRam{.name = "char_node_ram_total_bytes",
                                       .unit = "bytes",
                                       .help = "Memory of the node."};
inline constexpr MetricFamily kCharCores{
    .name = "char_node_cpu_total_cores",
    .labels = "char_node_brand, char_node_arch, char_node_bits",
    .help = "Logical cores of the node."};
inline constexpr MetricFamily kCharPower{
    .name = "char_node_cpu_energy_watt",
    .unit = "watt",
    .labels = "char_node_brand, char_node_arch, char_node_bits",
    .help = "Power of the processor between the last two snapshots.",
    .caveat =
        "Absent where nothing measures it; of a board whose supply is "
        "measured only as a whole it is that."};
inline constexpr MetricFamily kCharLocation{
    .name = "char_node_location",
    .labels =
        "char_node_city, char_node_country, char_node_continent, "
        "char_node_latitude, char_node_longitude",
    .help = "1 when the place of the node is configured, else 0.",
    .caveat = "Nobody is asked for it: it is what --location says."};
inline constexpr MetricFamily kCharDisk{
    .name = "char_node_disk_total_size",
    .unit = "bytes",
    .help = "Size of the root file system in bytes."};
inline constexpr MetricFamily kCharOs{
    .name = "char_node_os",
    .labels = "char_node_os_name, char_node_os_version",
    .help = "1 when the operating system is known, else 0."};
inline constexpr MetricFamily kCharGpu{
    .name = "char_node_gpu",
    .labels = "char_node_gpu_model, char_node_gpu_type, char_node_gpu_id",
    .help = "1 for each GPU; 0 and \"not available GPU\" where there is none."};

inline constexpr std::array kCharacterizationFamilies = {
    &kCharModel,    &kCharBattery, &kCharRam, &kCharCores, &kCharPower,
    &kCharLocation, &kCharDisk,    &kCharOs,  &kCharGpu};

}  // namespace mete
