#include "adapters/prometheus/node_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mete {

std::vector<NodeQuery> NodeQueries(Seconds load_window) {
  // Of EdgeCloud-Mon's agent, of ours, and of node exporter.
  const std::string facts =
      "{__name__=~\""
      "char_node_(device_model|cpu_total_cores|ram_total_bytes|os)|"
      "mete_device_(info|cores|max_frequency_hertz|memory_bytes|"
      "memory_available_bytes|limit_[a-z_]+|engine_[a-z_]+)|"
      "node_memory_(MemTotal|MemAvailable)_bytes|"
      "node_uname_info|node_cpu_frequency_max_hertz\"}";
  // Only idle time shows how busy a CPU is: all modes together always add up to
  // one second per second. The label `node` exists if relabelling added it.
  const double window = std::max(1.0, std::round(load_window.count()));
  const std::string load = fmt::format(
      "1 - avg by (instance, node) "
      "(rate(node_cpu_seconds_total{{mode=\"idle\"}}[{}s]))",
      window);
  const std::string cores =
      "count by (instance, node) (node_cpu_seconds_total{mode=\"idle\"})";
  const std::string disk =
      "1 - max by (instance, node) "
      "(node_filesystem_avail_bytes{mountpoint=\"/\",fstype!=\"rootfs\"}) / "
      "max by (instance, node) "
      "(node_filesystem_size_bytes{mountpoint=\"/\",fstype!=\"rootfs\"})";
  const std::string temperature =
      "max by (instance, node) "
      "(node_thermal_zone_temp or node_hwmon_temp_celsius)";
  // A label `node` of the target renames ours.
  const std::string by = "by (node, exported_node) ";
  const std::string own_load = fmt::format(
      "1 - avg {}(rate(mete_device_cpu_seconds_total{{mode=\"idle\"}}[{}s]))",
      by, window);
  const std::string own_disk =
      "1 - max " + by +
      "(mete_device_filesystem_available_bytes{mountpoint=\"/\"}) / max " + by +
      "(mete_device_filesystem_size_bytes{mountpoint=\"/\"})";
  const std::string own_temperature =
      "max " + by + "(mete_device_temperature_celsius)";
  return {{facts, &NodeSamples::facts, true},
          {load, &NodeSamples::load, true},
          {cores, &NodeSamples::cores, false},
          {disk, &NodeSamples::disk, false},
          {temperature, &NodeSamples::temperature, false},
          {own_load, &NodeSamples::own_load, false},
          {own_disk, &NodeSamples::own_disk, false},
          {own_temperature, &NodeSamples::own_temperature, false}};
}

}  // namespace mete
