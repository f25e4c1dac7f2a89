// Names of Arm processor cores, looked up by the implementer and part numbers
// in /proc/cpuinfo.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mete {

// {0x41, 0xd08} -> "Arm Cortex-A72". Absent when the core is not in our table.
std::optional<std::string_view> ArmCoreName(int64_t implementer, int64_t part);

}  // namespace mete
