#include "linux/arm_parts.h"

#include <array>

namespace mete {
namespace {

struct Core {
  int64_t implementer;
  int64_t part;
  std::string_view name;
};

// MIDR_EL1 numbers: Arm's technical reference manuals, and for other makers
// the kernel's arch/arm64/include/asm/cputype.h.
constexpr std::array<Core, 32> kCores = {{
    {0x41, 0xb76, "Arm1176"},
    {0x41, 0xc07, "Arm Cortex-A7"},
    {0x41, 0xc09, "Arm Cortex-A9"},
    {0x41, 0xc0f, "Arm Cortex-A15"},
    {0x41, 0xd03, "Arm Cortex-A53"},
    {0x41, 0xd04, "Arm Cortex-A35"},
    {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},
    {0x41, 0xd09, "Arm Cortex-A73"},
    {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},
    {0x41, 0xd0c, "Arm Neoverse-N1"},
    {0x41, 0xd0d, "Arm Cortex-A77"},
    {0x41, 0xd40, "Arm Neoverse-V1"},
    {0x41, 0xd41, "Arm Cortex-A78"},
    {0x41, 0xd42, "Arm Cortex-A78AE"},
    {0x41, 0xd44, "Arm Cortex-X1"},
    {0x41, 0xd46, "Arm Cortex-A510"},
    {0x41, 0xd47, "Arm Cortex-A710"},
    {0x41, 0xd48, "Arm Cortex-X2"},
    {0x41, 0xd49, "Arm Neoverse-N2"},
    {0x41, 0xd4b, "Arm Cortex-A78C"},
    {0x41, 0xd4d, "Arm Cortex-A715"},
    {0x41, 0xd4e, "Arm Cortex-X3"},
    {0x41, 0xd4f, "Arm Neoverse-V2"},
    {0x41, 0xd80, "Arm Cortex-A520"},
    {0x41, 0xd81, "Arm Cortex-A720"},
    {0x4e, 0x003, "NVIDIA Denver 2"},
    {0x4e, 0x004, "NVIDIA Carmel"},
    {0x61, 0x022, "Apple Icestorm (M1)"},
    {0x61, 0x023, "Apple Firestorm (M1)"},
}};

}  // namespace

std::optional<std::string_view> ArmCoreName(int64_t implementer, int64_t part) {
  for (const Core& core : kCores) {
    if (core.implementer == implementer && core.part == part) return core.name;
  }
  return std::nullopt;
}

}  // namespace mete
