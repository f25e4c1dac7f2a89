// What the whole machine has used so far: CPU time of every core, memory,
// network, storage, waiting. Unlike a control group, this counts everybody.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "linux/block_devices.h"
#include "linux/pressure.h"
#include "linux/system_root.h"
#include "linux/temperatures.h"
#include "support/units.h"

namespace mete {

// Since boot, in steps of 10 ms. A core that is switched off is not listed.
struct CoreTime {
  int core = 0;
  std::chrono::nanoseconds user{0};     // with nice and guests
  std::chrono::nanoseconds system{0};   // with interrupts
  std::chrono::nanoseconds idle{0};     // nothing to do
  std::chrono::nanoseconds waiting{0};  // idle while storage was busy
  std::chrono::nanoseconds stolen{0};   // used by other virtual machines
};
std::vector<CoreTime> ReadCoreTimes(const SystemRoot& root);

struct HostMemory {
  std::optional<Bytes> total;
  std::optional<Bytes> used;  // what new processes cannot get: total-available
  std::optional<Bytes> swap_total;
  std::optional<Bytes> swap_used;
};
HostMemory ReadHostMemory(const SystemRoot& root);

// One network interface, since it came up. A bridge counts again what its
// members count, so sum either the physical ones or a single one.
struct InterfaceBytes {
  std::string name;
  bool physical = false;  // has hardware below it; none has in a container
  Bytes received;
  Bytes sent;
};
// Without lo.
std::vector<InterfaceBytes> ReadInterfaces(const SystemRoot& root);

struct CoreFrequency {
  int core = 0;
  double hz = 0;
};
// Empty without cpufreq (most virtual machines).
std::vector<CoreFrequency> ReadFrequencies(const SystemRoot& root);

struct HostUsage {
  std::vector<CoreTime> cores;
  HostMemory memory;
  std::vector<InterfaceBytes> interfaces;
  std::vector<BlockDevice> disks;  // storage only
  Pressures pressure;
  std::vector<CoreFrequency> frequencies;
  std::vector<Temperature> temperatures;
};
// All of the above.
HostUsage ReadHostUsage(const SystemRoot& root);

}  // namespace mete
