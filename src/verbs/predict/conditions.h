// What a predictor knows of a device at the moment a network is to run there,
// whether the device stands in a training row or in a cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/cluster_node.h"
#include "domain/device.h"
#include "domain/latency_row.h"

namespace mete {

struct DeviceConditions {
  double cpus = 1;  // that may be used: cores, or less under a quota
  int threads = 1;  // of the engine
  std::optional<double> ram_bytes;
  EngineSpeed speed;     // at `threads`
  double load = 0;       // of the CPUs, by others, 0 to 1
  bool assumed = false;  // `speed` was not measured but guessed from facts
};

// Absent when nothing tells how fast the row's device is.
std::optional<DeviceConditions> ConditionsFor(const LatencyRow& row);
// Falls back on the facts when there are no micro-measurements. Absent when
// not even the number of cores is known.
std::optional<DeviceConditions> ConditionsFor(const ClusterNode& node);

// How fast an engine usually is on so many cores of such a clock: right to a
// factor of about three, no better.
EngineSpeed AssumedSpeed(const DeviceFacts& facts, double cpus, int threads);

// What that was told from: "4 aarch64 cores at 1.5 GHz".
std::string DescribeAssumption(const DeviceFacts& facts);

}  // namespace mete
