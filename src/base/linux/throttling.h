// Detects that a machine runs slower than it could, because of heat or a weak
// power supply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

// A device that cools by slowing something down, or a fan.
struct CoolingState {
  std::string source;  // "cooling_device0/Processor"
  double level = 0;    // 0: off; 1: maximum
};

// How often a core was slowed down because of heat, since boot.
struct CoreThrottles {
  uint64_t core = 0;
  uint64_t events = 0;
};

// Everything known about throttling of a machine.
struct Throttling {
  std::vector<CoreThrottles> cores;  // only x86 processors report this
  std::vector<CoolingState> cooling;
  // True if a Raspberry Pi's supply voltage is too low right now. Absent
  // elsewhere.
  std::optional<bool> under_voltage;
};

// Keeps files open; looks for them only when it is created. Not thread-safe.
class ThrottlingReader {
 public:
  explicit ThrottlingReader(const SystemRoot& root);
  Throttling Read();

 private:
  // A cooling device that was found.
  struct Cooler {
    std::string source;
    double most = 1;
    WatchedFile state;
  };
  // A core with a throttle counter.
  struct Core {
    uint64_t number;
    WatchedFile file;
  };
  static std::vector<Core> FindCores(const SystemRoot& root);

  std::vector<Core> cores_;
  std::vector<Cooler> coolers_;
  std::optional<WatchedFile> voltage_alarm_;
};

}  // namespace mete
