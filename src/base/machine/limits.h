// Resource limits of a run; with the machine they also define an emulated
// device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/units.h"

namespace mete {

// The limits that the kernel enforces, if the machine has a cgroup for them.
enum class EnforcedLimit { kMemory, kCpus, kProcesses, kCpuset };
inline constexpr EnforcedLimit kEnforcedLimits[] = {
    EnforcedLimit::kMemory, EnforcedLimit::kCpus, EnforcedLimit::kProcesses,
    EnforcedLimit::kCpuset};

// "memory", "CPU", "process", "cpuset": as in "the memory limit".
constexpr std::string_view ToString(EnforcedLimit limit) {
  constexpr std::string_view kNames[] = {"memory", "CPU", "process", "cpuset"};
  return kNames[static_cast<int>(limit)];
}

// What became of the limits of a run: those that do not hold on this machine,
// and one sentence for each of them and for each that holds only in part.
struct LimitReport {
  std::vector<EnforcedLimit> missing;
  std::vector<std::string> notes;
};

// The resources a run may use. Absent: no limit.
struct Limits {
  std::optional<Bytes> memory;
  std::optional<Millicores> cpus;
  std::optional<int> threads;
  std::optional<std::string> cpuset;  // cores it may run on: "0-2,4"
  // CPUs its threads are bound to: "0-2,4". Unlike a cpuset, this needs no
  // privileges, and a workload may undo it.
  std::optional<std::string> pin;
  std::optional<uint64_t> processes;  // includes threads
  bool swap = false;  // memory beyond the limit may be swapped out
};

}  // namespace mete
