#include "linux/machine_kind.h"

#include <algorithm>
#include <array>

#include "linux/numbers.h"
#include "support/check.h"

namespace mete {
namespace {

bool HasPart(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Vendor and product names that hypervisors use.
bool SaysVirtual(const SystemRoot& root) {
  constexpr std::array<std::string_view, 13> kHypervisorNames = {
      "QEMU",      "VMware",         "innotek GmbH", "Xen",
      "Bochs",     "Parallels",      "BHYVE",        "Amazon EC2",
      "OpenStack", "Google Compute", "DigitalOcean", "Virtual Machine",
      "KVM"};
  std::string dmi_text;
  for (const char* file : {"sys_vendor", "product_name", "bios_vendor"}) {
    dmi_text +=
        root.Line(std::string("/sys/class/dmi/id/") + file).value_or("");
    dmi_text += '\n';
  }
  // Amazon's bare-metal machines carry its name, too.
  if (HasPart(dmi_text, ".metal")) return false;
  return std::ranges::any_of(kHypervisorNames, [&](std::string_view vendor) {
    return HasPart(dmi_text, vendor);
  });
}

bool HasHypervisorFlag(const SystemRoot& root) {
  auto flags = CopyField(root.TextOrNone("/proc/cpuinfo"), "flags", ':');
  if (!flags) return false;
  return std::ranges::count(SplitFields(*flags), "hypervisor") > 0;
}

bool IsVirtual(const SystemRoot& root) {
  // Xen's first domain is the machine itself.
  if (HasPart(root.TextOrNone("/proc/xen/capabilities"), "control_d")) {
    return false;
  }
  std::string tree = root.TextOrNone("/proc/device-tree/compatible");
  return root.Line("/sys/hypervisor/type") || SaysVirtual(root) ||
         HasHypervisorFlag(root) || HasPart(tree, "linux,dummy-virt") ||
         root.Exists("/proc/device-tree/hypervisor/compatible");
}

// System Management BIOS Reference Specification, DSP0134, table 17.
MachineKind ByChassis(const SystemRoot& root) {
  constexpr std::array<int64_t, 6> kServers = {17, 23, 25, 27, 28, 29};
  constexpr std::array<int64_t, 8> kLaptops = {8, 9, 10, 11, 14, 30, 31, 32};
  auto type = root.Number("/sys/class/dmi/id/chassis_type");
  if (!type) return MachineKind::kComputer;
  if (std::ranges::count(kServers, *type) > 0) return MachineKind::kServer;
  if (std::ranges::count(kLaptops, *type) > 0) return MachineKind::kLaptop;
  return MachineKind::kComputer;
}

}  // namespace

const char* ToString(MachineKind kind) {
  switch (kind) {
    case MachineKind::kComputer:
      return "computer";
    case MachineKind::kLaptop:
      return "laptop";
    case MachineKind::kServer:
      return "server";
    case MachineKind::kVirtual:
      return "virtual-machine";
    case MachineKind::kRaspberryPi:
      return "raspberry-pi";
    case MachineKind::kJetson:
      return "jetson";
  }
  CHECK(false);
}

MachineKind ReadMachineKind(const SystemRoot& root) {
  if (IsVirtual(root)) return MachineKind::kVirtual;
  std::string tree = root.TextOrNone("/proc/device-tree/compatible");
  if (HasPart(tree, "raspberrypi,")) return MachineKind::kRaspberryPi;
  // Nano, TX1, TX2, Xavier, Orin, Thor: all are Tegra.
  if (HasPart(tree, "nvidia,tegra")) return MachineKind::kJetson;
  // 32-bit Raspberry Pi OS names the board only here.
  auto board = CopyField(root.TextOrNone("/proc/cpuinfo"), "Model", ':');
  if (board && board->starts_with("Raspberry Pi")) {
    return MachineKind::kRaspberryPi;
  }
  return ByChassis(root);
}

}  // namespace mete
