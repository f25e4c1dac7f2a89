// Data types for what the operating system reports about a machine: its
// hardware and its current state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// One cache level of a core: {"L2", 512 KiB}.
struct CacheLevel {
  std::string name;  // L1d, L1i, L2, L3
  Bytes size;
  bool operator==(const CacheLevel&) const = default;
};

// Hardware and software of a machine. Absent or "": not reported.
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

// Conditions that may influence a measurement. Absent: not readable here.
struct Environment {
  std::string cpu_model;
  int cores = 0;
  std::optional<std::string> governor;
  std::string kernel;
  std::optional<double> load_average;  // 1 minute, before the run
  std::optional<double> temperature_celsius;
  // Memory available to the workload just before it was loaded.
  std::optional<Bytes> memory_available;
  std::optional<double> disk_used;  // of the root file system, 0 to 1
  // CPUs that other processes, and other virtual machines, used just before
  // the run: 1.5 is one and a half.
  std::optional<double> busy_cpus;
  std::optional<double> stolen_cpus;
};

// CPU time of all CPUs of the machine since it started, for differences.
struct CpuTimes {
  int cpus = 0;  // online
  Seconds busy{0};
  Seconds stolen{0};  // by other virtual machines; not part of `busy`
};

}  // namespace mete
