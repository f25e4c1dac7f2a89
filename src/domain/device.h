// A device: a machine, or a machine under limits standing in for a smaller one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// One level of the cache of one core: {"L2", 512 KiB}.
struct CacheLevel {
  std::string name;  // L1d, L1i, L2, L3
  Bytes size;
  bool operator==(const CacheLevel&) const = default;
};

// What the operating system says about a machine. Absent: it did not say.
struct DeviceFacts {
  std::string architecture;  // x86_64, aarch64
  std::string cpu_model;     // "" when unknown
  int cores = 0;             // usable by this process
  std::optional<double> max_frequency_hz;
  std::vector<CacheLevel> caches;
  Bytes ram;
  std::vector<std::string> gpus;
  std::string os;      // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;  // "6.1.0"
  std::string board;   // device-tree or DMI product; "" when unknown
  bool operator==(const DeviceFacts&) const = default;
};

// What a few seconds of measuring say about a machine.
struct DeviceSpeed {
  double operations_per_second = 0;    // float32 multiply and add, all cores
  double memory_bytes_per_second = 0;  // streaming triad, all cores
  std::chrono::system_clock::time_point measured_at;
};

struct Device {
  std::string id;    // stable across restarts, see Host::DeviceId
  std::string name;  // unique in a store; the host name unless given
  bool emulated = false;
  DeviceFacts facts;
  std::optional<DeviceSpeed> speed;
  std::chrono::system_clock::time_point registered_at;
};

}  // namespace mete
