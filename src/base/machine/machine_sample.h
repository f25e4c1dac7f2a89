// One sample of the whole machine, including all processes on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// Busy time of an online core; `core` is the kernel's number.
struct CoreBusy {
  int core = 0;
  Seconds time{0};
};

// GPU memory of one process.
struct GpuProcess {
  int pid = 0;
  Bytes memory;
};

// One GPU at one moment. Absent: not reported.
struct GpuSample {
  std::string name;                   // "NVIDIA A2", "GR3D" on a Jetson
  std::optional<double> utilization;  // 0 … 1
  // on a Jetson, part of the machine's memory
  std::optional<Bytes> memory_used;
  std::optional<Bytes> memory_total;
  std::optional<Watts> power;
  std::optional<double> joules;  // since the probe started
  std::optional<double> celsius;
  std::vector<GpuProcess> processes;
};

// Power of one supply rail, measured by a chip on the board.
struct RailSample {
  std::string name;  // "hwmon3/ina3221/VDD_IN", "tegrastats/VDD_IN"
  Watts power;
};

// A sample of the machine. Times and bytes never decrease; use differences.
// Absent: cannot be read here.
struct MachineSample {
  std::vector<CoreBusy> core_busy;
  std::optional<Bytes> memory_used;
  std::optional<Bytes> swap_used;
  std::optional<Bytes> network_received;
  std::optional<Bytes> network_sent;
  std::optional<Bytes> disk_read;
  std::optional<Bytes> disk_written;
  // How long some task waited for the resource.
  std::optional<Seconds> cpu_stalled;
  std::optional<Seconds> memory_stalled;
  std::optional<Seconds> io_stalled;
  std::optional<double> hottest_celsius;
  std::optional<double> mean_hertz;  // of the cores
  // Since the probe started. From energy counters where available, otherwise
  // from the power at each sample.
  std::optional<double> energy_joules;
  std::string energy_source;  // "rapl", "hwmon3/ina3221/VDD_IN"; or empty
  std::vector<GpuSample> gpus;
  // 0 … 1, on boards that report it (EMC)
  std::optional<double> memory_bus_load;
  // Rails may contain each other (VDD_IN is the whole board), so there is no
  // sum.
  std::vector<RailSample> rails;
};

}  // namespace mete
