// Resource limits of a run; with the machine they also define an emulated
// device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/units.h"

namespace mete {

// Part of the note that a limit does not hold on this machine: "the memory
// limit is not applied: …". Callers that depend on limits search for it.
inline constexpr std::string_view kNotApplied = "limit is not applied";

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
