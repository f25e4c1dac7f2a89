// What the whole machine did at one moment, everybody on it included.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// Times and bytes only grow; take differences. Absent: cannot be read here.
struct MachineSample {
  std::vector<Seconds> core_busy;  // by place; cores that are on
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
};

}  // namespace mete
