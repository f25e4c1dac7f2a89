// Whether a machine is slower than it could be, because it is hot or because
// its supply is weak.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

// Something that cools by slowing down, or by a fan.
struct CoolingState {
  std::string source;  // "cooling_device0/Processor"
  double level = 0;    // 0: off; 1: as much as it can
};

// How often a core was slowed down for its heat, since boot.
struct CoreThrottles {
  uint64_t core = 0;
  uint64_t events = 0;
};

struct Throttling {
  std::vector<CoreThrottles> cores;  // only x86 processors count
  std::vector<CoolingState> cooling;
  // The supply of a Raspberry Pi is too weak at this moment. Absent elsewhere.
  std::optional<bool> under_voltage;
};

// Files stay open; what there is was found when it was made. One thread.
class ThrottlingReader {
 public:
  explicit ThrottlingReader(const SystemRoot& root);
  Throttling Read();

 private:
  struct Cooler {
    std::string source;
    double most = 1;
    WatchedFile state;
  };
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
