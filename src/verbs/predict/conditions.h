// Properties and load of a device at the time a network runs on it, taken from
// a training row or from a cluster node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/cluster_node.h"
#include "domain/device.h"
#include "domain/latency_row.h"

namespace mete {

// What a predictor needs to know about a device.
struct DeviceConditions {
  double cpus = 1;  // usable CPUs: the cores, or less under a quota
  int threads = 1;  // threads of the engine
  std::optional<double> ram_bytes;
  EngineSpeed speed;     // at `threads`
  double load = 0;       // share of the CPUs used by other processes, 0 to 1
  bool assumed = false;  // `speed` was guessed from the facts, not measured
};

// Absent when the speed of the row's device is unknown.
std::optional<DeviceConditions> ConditionsFor(const LatencyRow& row);
// Falls back to the facts when there are no micro-measurements. Absent when not
// even the number of cores is known.
std::optional<DeviceConditions> ConditionsFor(const ClusterNode& node);

// Typical speed of an engine on `cpus` cores of this clock rate. It is right to
// a factor of about three, no better.
EngineSpeed AssumedSpeed(const DeviceFacts& facts, double cpus, int threads);

// Describes the facts used by AssumedSpeed: "4 aarch64 cores at 1.5 GHz".
std::string DescribeAssumption(const DeviceFacts& facts);

}  // namespace mete
