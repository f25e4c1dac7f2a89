// A device: a machine, or a machine with limits that emulates a smaller one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/facts.h"
#include "machine/limits.h"
#include "support/units.h"

namespace mete {

// Speed of a machine, measured in a few seconds.
struct DeviceSpeed {
  double operations_per_second = 0;    // float32 multiply and add, all cores
  double memory_bytes_per_second = 0;  // streaming triad, all cores
  std::chrono::system_clock::time_point measured_at;
};

// Speed of an inference engine on a device with a number of threads, measured
// with small networks (collect/micro_measurements.h). These numbers let a
// predictor distinguish devices.
struct EngineSpeed {
  int threads = 1;
  double gemm_flops_per_second = 0;         // large matrix product
  double conv_flops_per_second = 0;         // 3x3 convolution
  double depthwise_flops_per_second = 0;    // 3x3 depthwise convolution
  double elementwise_bytes_per_second = 0;  // read and written, beyond caches
  double node_seconds = 0;                  // cost of one more tiny operator
  bool operator==(const EngineSpeed&) const = default;
};

// Speeds of one engine on a device.
struct MicroMeasurements {
  std::vector<EngineSpeed> speeds;  // one thread first, then all of them
  std::string engine;               // "onnxruntime 1.22.0"
  std::chrono::system_clock::time_point measured_at;
};

// How a machine emulates a smaller one.
struct Emulation {
  std::string host_id;  // the device it runs on
  Limits limits;        // CPUs, memory and threads are always set
  // Period of the CPU quota. It must be short: otherwise inferences shorter
  // than it run at full speed, and the next one waits for the rest of the
  // period.
  std::chrono::microseconds period{0};
  // CPU share delivered at creation divided by the requested one; 1 is exact.
  double delivered_ratio = 0;
};

// A device known to a store.
struct Device {
  std::string id;    // stable across restarts, see Host::DeviceId
  std::string name;  // unique in a store; the host name unless given
  bool emulated = false;
  std::optional<Emulation> emulation;  // of an emulated device
  DeviceFacts facts;
  std::optional<DeviceSpeed> speed;
  std::optional<MicroMeasurements> micro;
  std::chrono::system_clock::time_point registered_at;
};

// CPUs the device may use: 0.5 is half a core.
double UsableCpus(const Device& device);
// Threads an engine uses on it.
int EngineThreadsFor(const Device& device);

}  // namespace mete
