// What the whole machine did at one moment, everybody on it included.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// A core that is on, by the kernel's number for it.
struct CoreBusy {
  int core = 0;
  Seconds time{0};
};

// Memory that one process holds on a GPU.
struct GpuProcess {
  int pid = 0;
  Bytes memory;
};

// One GPU at one moment. Absent: it does not tell.
struct GpuSample {
  std::string name;                   // "NVIDIA A2", "GR3D" on a Jetson
  std::optional<double> utilization;  // 0 … 1
  std::optional<Bytes> memory_used;   // a Jetson's is part of the machine's
  std::optional<Bytes> memory_total;
  std::optional<Watts> power;
  std::optional<double> joules;  // since the probe was made
  std::optional<double> celsius;
  std::vector<GpuProcess> processes;
};

// Power that a chip of the board measures on one supply line.
struct RailSample {
  std::string name;  // "hwmon3/ina3221/VDD_IN", "tegrastats/VDD_IN"
  Watts power;
};

// Times and bytes only grow; take differences. Absent: cannot be read here.
struct MachineSample {
  std::vector<CoreBusy> core_busy;
  std::optional<Bytes> memory_used;
  std::optional<Bytes> swap_used;
  std::optional<Bytes> network_received;
  std::optional<Bytes> network_sent;
  std::optional<Bytes> disk_read;
  std::optional<Bytes> disk_written;
  // How long some task waited for it.
  std::optional<Seconds> cpu_stalled;
  std::optional<Seconds> memory_stalled;
  std::optional<Seconds> io_stalled;
  std::optional<double> hottest_celsius;
  std::optional<double> mean_hertz;  // of the cores
  // Since the probe was made. From counters where there are some, else from
  // power at each sample.
  std::optional<double> energy_joules;
  std::string energy_source;  // "rapl", "hwmon3/ina3221/VDD_IN"; or empty
  std::vector<GpuSample> gpus;
  std::optional<double> memory_bus_load;  // 0 … 1, where a board tells (EMC)
  // May contain each other (VDD_IN is the whole board): no sum is told.
  std::vector<RailSample> rails;
};

}  // namespace mete
