// The limits set on one cgroup itself. Its ancestors may have tighter ones.
#pragma once

#include <optional>
#include <string_view>

#include "linux/cgroup_files.h"
#include "support/units.h"

namespace mete {

// Limits of one cgroup. A member is absent when no limit is set.
struct CgroupLimits {
  std::optional<Bytes> memory;
  std::optional<double> cores;  // quota divided by period
};
CgroupLimits ReadLimits(CgroupFiles& files);

// Parses memory.max or memory.limit_in_bytes. Absent when there is no limit.
std::optional<Bytes> ParseMemoryLimit(std::string_view text);
// Parses "max 100000" or "150000 100000": quota and period in microseconds.
// Takes the contents of cpu.max, or of both cgroup v1 files joined by a blank.
std::optional<double> ParseCores(std::string_view cpu_max);

}  // namespace mete
