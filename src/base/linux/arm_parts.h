// Names of Arm processor cores by the numbers /proc/cpuinfo gives for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mete {

// {0x41, 0xd08} -> "Arm Cortex-A72". Absent: a core this program does not
// know.
std::optional<std::string_view> ArmCoreName(int64_t implementer, int64_t part);

}  // namespace mete
