// What a run may use, and what an emulated device consists of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/units.h"

namespace mete {

// How a note ends its beginning that says a limit does not hold here: "the
// memory limit is not applied: …". Who depends on limits looks for it.
inline constexpr std::string_view kNotApplied = "limit is not applied";

// What the run was allowed to use. Absent: no limit.
struct Limits {
  std::optional<Bytes> memory;
  std::optional<Millicores> cpus;
  std::optional<int> threads;
  std::optional<std::string> cpuset;  // cores it may run on: "0-2,4"
  std::optional<uint64_t> processes;  // threads counted too
  bool swap = false;                  // the memory limit may be swapped past
};

}  // namespace mete
