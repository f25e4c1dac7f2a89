// What the whole machine has used so far: CPU time of every core, memory,
// network, storage, waiting. Unlike a control group, this counts everybody.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "linux/block_devices.h"
#include "linux/core_clocks.h"
#include "linux/energy.h"
#include "linux/interfaces.h"
#include "linux/power_rails.h"
#include "linux/pressure.h"
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
// The text of /proc/stat.
std::vector<CoreTime> ParseCoreTimes(std::string_view text);

struct HostMemory {
  std::optional<Bytes> total;
  std::optional<Bytes> used;  // what new processes cannot get: total-available
  std::optional<Bytes> swap_total;
  std::optional<Bytes> swap_used;
};
// The text of /proc/meminfo.
HostMemory ParseHostMemory(std::string_view text);

// Everything that is sampled of a machine; see HostUsageReader.
struct HostUsage {
  std::vector<CoreTime> cores;
  HostMemory memory;
  std::vector<InterfaceBytes> interfaces;
  std::vector<BlockDevice> disks;  // storage only
  Pressures pressure;
  std::vector<CoreFrequency> frequencies;
  std::vector<Temperature> temperatures;
  std::vector<EnergyCounter> energy;
  std::vector<PowerRail> rails;
  std::vector<Battery> batteries;
};

}  // namespace mete
