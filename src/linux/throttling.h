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

struct Throttling {
  // How often cores were slowed down for their heat, since boot, all together.
  // Absent where the processor does not count (only x86 does).
  std::optional<uint64_t> core_events;
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
  std::vector<WatchedFile> cores_;
  std::vector<Cooler> coolers_;
  std::optional<WatchedFile> voltage_alarm_;
};

}  // namespace mete
