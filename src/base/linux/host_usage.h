// Resource usage of the whole machine: CPU time of every core, memory, network,
// storage, pressure. Unlike a cgroup it includes all processes.
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

// CPU time of one core since boot, in steps of 10 ms. Offline cores are not
// listed.
struct CoreTime {
  int core = 0;
  std::chrono::nanoseconds user{0};     // includes nice and guests
  std::chrono::nanoseconds system{0};   // includes interrupts
  std::chrono::nanoseconds idle{0};     // nothing to do
  std::chrono::nanoseconds waiting{0};  // idle while storage was busy
  std::chrono::nanoseconds stolen{0};   // used by other virtual machines
};
// Parses /proc/stat.
std::vector<CoreTime> ParseCoreTimes(std::string_view text);

// Memory and swap of the machine.
struct HostMemory {
  std::optional<Bytes> total;
  std::optional<Bytes> used;  // total minus available
  std::optional<Bytes> swap_total;
  std::optional<Bytes> swap_used;
};
// Parses /proc/meminfo.
HostMemory ParseHostMemory(std::string_view text);

// Everything that is sampled from a machine; see HostUsageReader.
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
