// The current state of a cluster node: what it is and how busy it is.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"

namespace mete {

// A node. Absent values were not reported. `unknown` says why nothing can be
// predicted for the node.
struct ClusterNode {
  std::string name;
  std::string kind;          // EdgeCloud-Mon's class: "Computer", "VM"
  std::string uuid;          // "" when not reported
  std::string device_model;  // "Raspberry Pi 4 Model B"; "" when not reported
  bool emulated = false;
  std::optional<Limits> limits;  // of an emulated device
  DeviceFacts facts;             // cores 0, ram 0 or "" where not reported
  std::optional<MicroMeasurements> micro;
  std::optional<double> load;  // CPU in use, 0 to 1
  std::optional<Bytes> memory_available;
  std::optional<double> disk_used;  // of the root file system, 0 to 1
  std::optional<double> temperature_celsius;
  std::optional<std::string> unknown;
  bool wants_load = false;  // only the load is missing, see `unknown`
};

// True if the number of cores, or the limit of an emulated device, is known.
// Nothing can be predicted for a node without it.
bool KnowsItsCpus(const ClusterNode& node);

// Uses this load, whether or not one was reported.
void AssumeLoad(ClusterNode& node, double load);

// All nodes at one moment.
struct NodeSnapshot {
  std::vector<ClusterNode> nodes;
  std::chrono::system_clock::time_point taken_at;
  // Set when the source does not respond and this is its last data.
  std::optional<std::string> stale;
};

}  // namespace mete
