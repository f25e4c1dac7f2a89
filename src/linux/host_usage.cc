#include "linux/host_usage.h"

#include <algorithm>

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

// Absent where the kernel does not tell both, or contradicts itself.
std::optional<Bytes> Difference(std::optional<Bytes> whole,
                                std::optional<Bytes> part) {
  if (!whole || !part || *part > *whole) return std::nullopt;
  return Bytes{whole->count - part->count};
}

// proc(5): "cpu0 user nice system idle iowait irq softirq steal guest
// guest_nice"; the guests are also part of user and nice.
std::optional<CoreTime> CoreTimeOf(const std::vector<std::string_view>& words) {
  if (words.size() < 9) return std::nullopt;
  auto core = NumberAfter(words[0], "cpu");
  if (!core) return std::nullopt;
  std::vector<std::chrono::nanoseconds> times;
  for (size_t i = 1; i < 9; ++i) {
    auto time = TimeOf(WholeNumber(words[i]), kClockTick);
    if (!time) return std::nullopt;
    times.push_back(*time);
  }
  return CoreTime{.core = static_cast<int>(*core),
                  .user = times[0] + times[1],
                  .system = times[2] + times[5] + times[6],
                  .idle = times[3],
                  .waiting = times[4],
                  .stolen = times[7]};
}

std::vector<BlockDevice> ReadDisks(const SystemRoot& root) {
  std::vector<BlockDevice> disks = ReadBlockDevices(root);
  std::erase_if(disks, [](const BlockDevice& disk) { return !disk.storage; });
  return disks;
}

}  // namespace

std::vector<CoreTime> ReadCoreTimes(const SystemRoot& root) {
  std::vector<CoreTime> cores;
  for (const std::string& line : LinesOf(root.TextOrNone("/proc/stat"))) {
    if (auto core = CoreTimeOf(WordsOf(line))) cores.push_back(*core);
  }
  return cores;
}

HostMemory ReadHostMemory(const SystemRoot& root) {
  const std::string text = root.TextOrNone("/proc/meminfo");
  auto total = KilobytesOf(text, "MemTotal");
  auto swap = KilobytesOf(text, "SwapTotal");
  return {.total = total,
          .used = Difference(total, KilobytesOf(text, "MemAvailable")),
          .swap_total = swap,
          .swap_used = Difference(swap, KilobytesOf(text, "SwapFree"))};
}

// "  eth0: bytes packets errs drop fifo frame compressed multicast bytes …":
// eight numbers received, eight sent. The colon may touch the first.
std::vector<InterfaceBytes> ReadInterfaces(const SystemRoot& root) {
  std::vector<InterfaceBytes> interfaces;
  for (const std::string& line : LinesOf(root.TextOrNone("/proc/net/dev"))) {
    // The last one: an alias is named "eth0:1".
    const size_t colon = line.rfind(':');
    if (colon == std::string::npos) continue;
    const std::string name(Trimmed(std::string_view(line).substr(0, colon)));
    const auto words = WordsOf(std::string_view(line).substr(colon + 1));
    if (name == "lo" || words.size() < 16) continue;
    auto received = BytesOf(WholeNumber(words[0]));
    auto sent = BytesOf(WholeNumber(words[8]));
    if (!received || !sent) continue;
    interfaces.push_back(
        {.name = name,
         .physical = root.Exists(path("/sys/class/net") / name / "device"),
         .received = *received,
         .sent = *sent});
  }
  return interfaces;
}

std::vector<CoreFrequency> ReadFrequencies(const SystemRoot& root) {
  const path folder = "/sys/devices/system/cpu";
  std::vector<CoreFrequency> frequencies;
  for (const std::string& name : root.Names(folder)) {
    auto core = NumberAfter(name, "cpu");
    if (!core) continue;
    auto khz = root.Number(folder / name / "cpufreq/scaling_cur_freq");
    if (!khz || *khz <= 0) continue;
    frequencies.push_back({.core = static_cast<int>(*core),
                           .hz = static_cast<double>(*khz) * 1000});
  }
  std::sort(frequencies.begin(), frequencies.end(),
            [](const CoreFrequency& a, const CoreFrequency& b) {
              return a.core < b.core;
            });
  return frequencies;
}

HostUsage ReadHostUsage(const SystemRoot& root) {
  return {.cores = ReadCoreTimes(root),
          .memory = ReadHostMemory(root),
          .interfaces = ReadInterfaces(root),
          .disks = ReadDisks(root),
          .pressure = {.cpu = ReadPressure(root, "/proc/pressure/cpu"),
                       .memory = ReadPressure(root, "/proc/pressure/memory"),
                       .io = ReadPressure(root, "/proc/pressure/io")},
          .frequencies = ReadFrequencies(root),
          .temperatures = ReadTemperatures(root)};
}

}  // namespace mete
