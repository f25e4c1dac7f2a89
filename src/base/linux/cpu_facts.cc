#include "linux/cpu_facts.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>

#include "linux/arm_parts.h"
#include "linux/numbers.h"
#include "linux/temperatures.h"

namespace mete {
namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu";

std::optional<int64_t> Hex(const std::string& text) {
  std::string_view digits = text;
  if (digits.substr(0, 2) == "0x") digits.remove_prefix(2);
  int64_t number = 0;
  auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  if (error != std::errc()) return std::nullopt;
  return number;
}

// The kinds of Arm core, in the order of /proc/cpuinfo.
std::vector<std::string> ArmCores(const std::string& cpuinfo) {
  std::vector<std::string> names;
  std::optional<int64_t> implementer;
  for (const std::string& line : SplitLines(cpuinfo)) {
    if (auto text = CopyField(line, "CPU implementer", ':')) {
      implementer = Hex(*text);
    }
    auto part = CopyField(line, "CPU part", ':');
    auto number = part ? Hex(*part) : std::nullopt;
    if (!implementer || !number) continue;
    auto name = ArmCoreName(*implementer, *number);
    if (!name) continue;
    if (std::find(names.begin(), names.end(), *name) == names.end()) {
      names.emplace_back(*name);
    }
  }
  return names;
}

// "48K", "8192K", "32M".
std::optional<Bytes> CacheSize(const std::string& text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number == 0) return std::nullopt;
  if (rest == end) return Bytes{number};
  if (*rest == 'K') return Kibibytes(number);
  if (*rest == 'M') return Mebibytes(number);
  return std::nullopt;
}

// In lower case and without "_", because kernels write cpu-thermal, cpu_thermal
// and CPU-therm.
std::string Plain(std::string name) {
  for (char& c : name) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

std::optional<double> ZoneTemperature(const SystemRoot& root,
                                      std::string_view kind) {
  const std::filesystem::path zones = "/sys/class/thermal";
  for (const std::string& zone : root.Names(zones)) {
    auto type = root.Line(zones / zone / "type");
    if (!type || Plain(*type).compare(0, kind.size(), kind) != 0) continue;
    if (auto degrees = Celsius(root.Number(zones / zone / "temp"))) {
      return degrees;
    }
  }
  return std::nullopt;
}

// From drivers of the sensor inside the processor; temp1 is the package.
std::optional<double> ChipTemperature(const SystemRoot& root) {
  const std::filesystem::path chips = "/sys/class/hwmon";
  for (const std::string& chip : root.Names(chips)) {
    auto name = root.Line(chips / chip / "name");
    if (name != "coretemp" && name != "k10temp" && name != "zenpower" &&
        name != "cpu_thermal") {
      continue;
    }
    if (auto degrees = Celsius(root.Number(chips / chip / "temp1_input"))) {
      return degrees;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string ReadCpuModel(const SystemRoot& root) {
  auto cpuinfo = root.Text("/proc/cpuinfo");
  if (!cpuinfo.ok()) return "";
  // On Arm, "model name" is at best "ARMv8 Processor rev 1 (v8l)".
  const auto cores = ArmCores(*cpuinfo);
  if (!cores.empty()) return fmt::format("{}", fmt::join(cores, " + "));
  return CopyField(*cpuinfo, "model name", ':').value_or("");
}

std::optional<double> ReadMaxFrequency(const SystemRoot& root) {
  std::optional<int64_t> fastest;  // kHz
  for (const std::string& name : root.Names(kCpus)) {
    if (!NumberAfter(name, "cpu")) continue;
    auto frequency = root.Number(std::filesystem::path(kCpus) / name /
                                 "cpufreq/cpuinfo_max_freq");
    if (frequency && *frequency > fastest.value_or(0)) fastest = frequency;
  }
  if (!fastest) return std::nullopt;
  return static_cast<double>(*fastest) * 1000;
}

std::vector<CacheLevel> ReadCaches(const SystemRoot& root) {
  const std::filesystem::path folder =
      std::filesystem::path(kCpus) / "cpu0/cache";
  std::vector<CacheLevel> caches;
  for (const std::string& index : root.Names(folder)) {
    auto level = root.Line(folder / index / "level");
    auto type = root.Line(folder / index / "type");
    auto text = root.Line(folder / index / "size");
    auto size = text ? CacheSize(*text) : std::nullopt;
    if (!level || !type || !size) continue;
    std::string suffix =
        *type == "Data" ? "d" : (*type == "Instruction" ? "i" : "");
    caches.push_back({"L" + *level + suffix, *size});
  }
  return caches;
}

std::optional<std::string> ReadGovernor(const SystemRoot& root) {
  return root.Line(std::filesystem::path(kCpus) /
                   "cpu0/cpufreq/scaling_governor");
}

std::optional<double> ReadCpuTemperature(const SystemRoot& root) {
  // Intel's package first, then boards that name a zone after the processor,
  // then boards with one sensor for the whole chip.
  for (std::string_view kind : {"x86-pkg-temp", "cpu", "soc"}) {
    if (auto degrees = ZoneTemperature(root, kind)) return degrees;
  }
  return ChipTemperature(root);
}

}  // namespace mete
