// What a run may use, and what an emulated device consists of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/units.h"

namespace mete {

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
