// The limits that are set on a control group itself; those of groups above it
// may be tighter.
#pragma once

#include <optional>
#include <string_view>

#include "linux/cgroup_files.h"
#include "support/units.h"

namespace mete {

// Absent: none is set.
struct CgroupLimits {
  std::optional<Bytes> memory;
  std::optional<double> cores;  // quota over period
};
CgroupLimits ReadLimits(CgroupFiles& files);

// The text of memory.max or memory.limit_in_bytes; absent when it says that
// there is none.
std::optional<Bytes> MemoryLimitOf(std::string_view text);
// "max 100000" or "150000 100000": quota and period in microseconds. The text
// of cpu.max, or of both files of version 1 with a blank between them.
std::optional<double> CoresOf(std::string_view cpu_max);

}  // namespace mete
