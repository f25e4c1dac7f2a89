#include "linux/gpu_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mete {
namespace {

using std::filesystem::path;

struct Named {
  std::string_view id;
  std::string_view name;
};

// PCI vendors of GPUs that can compute. Other devices of class 0x03 (ASPEED,
// Matrox, QEMU, VMware) only draw a console.
constexpr std::array<Named, 3> kGpuVendors = {
    {{"0x10de", "NVIDIA"}, {"0x1002", "AMD"}, {"0x8086", "Intel"}}};

// "compatible" strings of device trees; the first match wins.
constexpr std::array<Named, 9> kIntegrated = {{
    {"nvidia,gm20b", "NVIDIA GM20B (Tegra X1)"},
    {"nvidia,gp10b", "NVIDIA GP10B (Tegra X2)"},
    {"nvidia,gv11b", "NVIDIA GV11B (Xavier)"},
    {"nvidia,ga10b", "NVIDIA GA10B (Orin)"},
    {"brcm,bcm2835-v3d", "Broadcom VideoCore IV"},
    {"brcm,2711-v3d", "Broadcom VideoCore VI"},
    {"brcm,2712-v3d", "Broadcom VideoCore VII"},
    {"arm,mali", "Arm Mali"},
    {"qcom,adreno", "Qualcomm Adreno"},
}};

// NVIDIA's driver lists the product names of its cards by PCI address.
std::string NvidiaName(const SystemRoot& root, const std::string& address) {
  auto text =
      root.Text(path("/proc/driver/nvidia/gpus") / address / "information");
  if (!text.ok()) return "";
  return CopyField(*text, "Model", ':').value_or("");
}

std::string WithoutPrefix(const std::string& hex) {
  return hex.compare(0, 2, "0x") == 0 ? hex.substr(2) : hex;
}

// "" when the PCI device is not a GPU.
std::string PciGpu(const SystemRoot& root, const std::string& address) {
  const path folder = path("/sys/bus/pci/devices") / address;
  auto kind = root.Line(folder / "class");
  auto vendor = root.Line(folder / "vendor");
  auto device = root.Line(folder / "device");
  if (!kind || !vendor || !device) return "";
  if (kind->compare(0, 4, "0x03") != 0) return "";
  auto maker = std::find_if(kGpuVendors.begin(), kGpuVendors.end(),
                            [&](const Named& v) { return v.id == *vendor; });
  if (maker == kGpuVendors.end()) return "";
  std::string product = NvidiaName(root, address);
  if (!product.empty()) return product;
  return fmt::format("{} GPU {}:{}", maker->name, WithoutPrefix(*vendor),
                     WithoutPrefix(*device));
}

// A device tree lists the most specific name first; NUL ends each name.
std::string IntegratedName(const std::string& compatible) {
  for (const Named& known : kIntegrated) {
    if (compatible.find(known.id) != std::string::npos) {
      return std::string(known.name);
    }
  }
  return compatible.substr(0, compatible.find('\0'));
}

bool StartsWith(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

// Adds the GPU of a device tree node unless the board marked it "disabled".
void AddIntegrated(const SystemRoot& root, const path& node,
                   std::vector<std::string>& gpus) {
  auto compatible = root.Text(node / "compatible");
  if (!compatible.ok()) return;
  if (root.Line(node / "status") == "disabled") return;
  gpus.push_back(IntegratedName(*compatible));
}

// Boards put the node at the top (gpu@57000000) or on a bus (v3dbus/v3d@…,
// host1x/gpu, soc/gpu@…): two levels reach all of them.
void AddDeviceTree(const SystemRoot& root, std::vector<std::string>& gpus) {
  const path top = "/proc/device-tree";
  auto is_gpu = [](const std::string& name) {
    return name == "gpu" || StartsWith(name, "gpu@") ||
           StartsWith(name, "v3d@");
  };
  for (const std::string& name : root.Names(top)) {
    if (is_gpu(name)) AddIntegrated(root, top / name, gpus);
    for (const std::string& child : root.Names(top / name)) {
      if (is_gpu(child)) AddIntegrated(root, top / name / child, gpus);
    }
  }
}

}  // namespace

std::vector<std::string> ReadGpus(const SystemRoot& root) {
  std::vector<std::string> gpus;
  for (const std::string& address : root.Names("/sys/bus/pci/devices")) {
    std::string name = PciGpu(root, address);
    if (!name.empty()) gpus.push_back(std::move(name));
  }
  AddDeviceTree(root, gpus);
  return gpus;
}

}  // namespace mete
