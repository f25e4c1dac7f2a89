// Facts about the machine as a whole: its description as a device, conditions
// that could disturb a measurement, and the counters it offers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "machine/facts.h"

namespace mete {

// Values that come from system calls; no file contains them.
struct KernelAnswers {
  std::string architecture;  // uname -m
  int cores = 0;             // sched_getaffinity
};

// Fails with kUnavailable when /proc/meminfo cannot be read: then the root is
// not a Linux tree.
Result<DeviceFacts> ReadDeviceFacts(const SystemRoot& root,
                                    const KernelAnswers& kernel);
Environment ReadMachineState(const SystemRoot& root,
                             const KernelAnswers& kernel);

// "Raspberry Pi 4 Model B Rev 1.4", "Dell Inc. OptiPlex 7050"; "" when
// unknown.
std::string ReadBoard(const SystemRoot& root);
// "Debian GNU/Linux 12 (bookworm)"; "" when unknown.
std::string ReadOsName(const SystemRoot& root);
// A kilobyte field of /proc/meminfo, such as MemTotal or MemAvailable.
std::optional<Bytes> ReadMemory(const SystemRoot& root, std::string_view field);
// VmHWM of /proc/self/status.
std::optional<Bytes> ReadPeakMemory(const SystemRoot& root);

// -1 allows everything … 2 own processes in user mode … 4 nothing. Absent when
// the kernel has no performance counters.
std::optional<int64_t> ReadPerfParanoia(const SystemRoot& root);

// An energy counter of the processor (RAPL, on Intel and AMD).
struct RaplDomain {
  std::string name;  // package-0, core, dram
  bool readable = false;
};
std::vector<RaplDomain> ReadRapl(const SystemRoot& root);

}  // namespace mete
