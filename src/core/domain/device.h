// A device: a machine, or a machine under limits standing in for a smaller one.
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

// What a few seconds of measuring say about a machine.
struct DeviceSpeed {
  double operations_per_second = 0;    // float32 multiply and add, all cores
  double memory_bytes_per_second = 0;  // streaming triad, all cores
  std::chrono::system_clock::time_point measured_at;
};

// What an inference engine reaches on a device with so many threads, found by
// timing small networks (collect/micro_measurements.h). It is these numbers
// that let a predictor tell devices apart.
struct EngineSpeed {
  int threads = 1;
  double gemm_flops_per_second = 0;         // large matrix product
  double conv_flops_per_second = 0;         // 3x3 convolution
  double depthwise_flops_per_second = 0;    // 3x3 depthwise convolution
  double elementwise_bytes_per_second = 0;  // read and written, beyond caches
  double node_seconds = 0;                  // one more tiny operator
  bool operator==(const EngineSpeed&) const = default;
};

struct MicroMeasurements {
  std::vector<EngineSpeed> speeds;  // one thread first, then all of them
  std::string engine;               // "onnxruntime 1.22.0"
  std::chrono::system_clock::time_point measured_at;
};

// How a machine stands in for a smaller one.
struct Emulation {
  std::string host_id;  // the device it runs on
  Limits limits;        // CPUs, memory and threads are always given
  // Of the CPU quota: short, or inferences shorter than it run at full speed
  // and the next one waits for the rest of the period.
  std::chrono::microseconds period{0};
  // CPU share delivered at creation over the share asked for; 1 is exact.
  double delivered_ratio = 0;
};

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
double CpusOf(const Device& device);
// Threads an engine uses on it.
int EngineThreadsOf(const Device& device);

}  // namespace mete
