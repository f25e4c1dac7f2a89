#include "linux/machine_facts.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "linux/cpu_facts.h"
#include "linux/gpu_facts.h"
#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

// Values that board makers left at their defaults.
bool IsPlaceholder(const std::string& text) {
  constexpr std::array<std::string_view, 6> kPlaceholders = {
      "To Be Filled By O.E.M.", "To be filled by O.E.M.", "System Product Name",
      "System manufacturer",    "Default string",         "Not Specified"};
  return std::find(kPlaceholders.begin(), kPlaceholders.end(), text) !=
         kPlaceholders.end();
}

std::string DmiBoard(const SystemRoot& root) {
  std::vector<std::string> parts;
  for (const char* file : {"sys_vendor", "product_name"}) {
    auto part = root.Line(path("/sys/class/dmi/id") / file);
    if (!part || IsPlaceholder(*part)) continue;
    parts.push_back(*part);
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string Unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == text.back() &&
      (text.front() == '"' || text.front() == '\'')) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

std::string KernelRelease(const SystemRoot& root) {
  return root.Line("/proc/sys/kernel/osrelease").value_or("");
}

std::optional<double> LoadAverage(const SystemRoot& root) {
  auto line = root.Line("/proc/loadavg");
  if (!line) return std::nullopt;
  return Decimal(SplitFields(*line).front());
}

}  // namespace

Result<DeviceFacts> ReadDeviceFacts(const SystemRoot& root,
                                    const KernelAnswers& kernel) {
  auto ram = ReadMemory(root, "MemTotal");
  if (!ram) {
    return Unavailable("read MemTotal of " +
                       root.Locate("/proc/meminfo").string() +
                       ": missing or not a number");
  }
  return DeviceFacts{.architecture = kernel.architecture,
                     .cpu_model = ReadCpuModel(root),
                     .cores = kernel.cores,
                     .max_frequency_hz = ReadMaxFrequency(root),
                     .caches = ReadCaches(root),
                     .ram = *ram,
                     .gpus = ReadGpus(root),
                     .os = ReadOsName(root),
                     .kernel = KernelRelease(root),
                     .board = ReadBoard(root)};
}

Environment ReadMachineState(const SystemRoot& root,
                             const KernelAnswers& kernel) {
  return Environment{.cpu_model = ReadCpuModel(root),
                     .cores = kernel.cores,
                     .governor = ReadGovernor(root),
                     .kernel = KernelRelease(root),
                     .load_average = LoadAverage(root),
                     .temperature_celsius = ReadCpuTemperature(root)};
}

std::string ReadBoard(const SystemRoot& root) {
  if (auto board = root.Line("/proc/device-tree/model")) return *board;
  auto cpuinfo = root.Text("/proc/cpuinfo");
  if (cpuinfo.ok()) {
    if (auto board = CopyField(*cpuinfo, "Model", ':')) return *board;
  }
  return DmiBoard(root);
}

std::string ReadOsName(const SystemRoot& root) {
  for (const char* file : {"/etc/os-release", "/usr/lib/os-release"}) {
    auto text = root.Text(file);
    if (!text.ok()) continue;
    if (auto name = CopyField(*text, "PRETTY_NAME", '='))
      return Unquoted(*name);
  }
  return "";
}

std::optional<Bytes> ReadMemory(const SystemRoot& root,
                                std::string_view field) {
  auto text = root.Text("/proc/meminfo");
  if (!text.ok()) return std::nullopt;
  return FindKilobytes(*text, field);
}

std::optional<Bytes> ReadPeakMemory(const SystemRoot& root) {
  auto text = root.Text("/proc/self/status");
  if (!text.ok()) return std::nullopt;
  return FindKilobytes(*text, "VmHWM");
}

std::optional<int64_t> ReadPerfParanoia(const SystemRoot& root) {
  return root.Number("/proc/sys/kernel/perf_event_paranoid");
}

std::vector<RaplDomain> ReadRapl(const SystemRoot& root) {
  const path folder = "/sys/class/powercap";
  std::vector<RaplDomain> domains;
  for (const std::string& zone : root.Names(folder)) {
    auto name = root.Line(folder / zone / "name");
    if (!name || !root.Exists(folder / zone / "energy_uj")) continue;
    domains.push_back(
        {.name = *name,
         .readable = root.Number(folder / zone / "energy_uj").has_value()});
  }
  return domains;
}

}  // namespace mete
