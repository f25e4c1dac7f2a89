// The machine as a whole: its facts as a device, what could disturb a
// measurement, and which counters it offers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/facts.h"
#include "linux/system_root.h"

namespace mete {

// What the running kernel tells a process directly and no file repeats.
struct KernelAnswers {
  std::string architecture;  // uname -m
  int cores = 0;             // sched_getaffinity
};

// Fails with kUnavailable when /proc/meminfo cannot be read: then this is no
// Linux tree at all.
Result<DeviceFacts> ReadDeviceFacts(const SystemRoot& root,
                                    const KernelAnswers& kernel);
Environment ReadMachineState(const SystemRoot& root,
                             const KernelAnswers& kernel);

// "Raspberry Pi 4 Model B Rev 1.4", "Dell Inc. OptiPlex 7050"; "" when
// unknown.
std::string ReadBoard(const SystemRoot& root);
// "Debian GNU/Linux 12 (bookworm)"; "" when unknown.
std::string ReadOsName(const SystemRoot& root);
// One of the kilobyte fields of /proc/meminfo: MemTotal, MemAvailable.
std::optional<Bytes> ReadMemory(const SystemRoot& root, std::string_view field);
// VmHWM of /proc/self/status.
std::optional<Bytes> ReadPeakMemory(const SystemRoot& root);

// -1 everything … 2 own processes, user mode … 4 nothing. Absent: a kernel
// without performance counters.
std::optional<int64_t> ReadPerfParanoia(const SystemRoot& root);

// An energy counter of the processor (Intel and AMD "running average power
// limit").
struct RaplDomain {
  std::string name;  // package-0, core, dram
  bool readable = false;
};
std::vector<RaplDomain> ReadRapl(const SystemRoot& root);

}  // namespace mete
