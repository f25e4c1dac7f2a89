#include "linux/core_clocks.h"

#include <algorithm>

#include "linux/numbers.h"

namespace mete {

std::vector<CoreClock> FindCoreClocks(const SystemRoot& root) {
  const std::filesystem::path folder = "/sys/devices/system/cpu";
  std::vector<CoreClock> clocks;
  for (const std::string& name : root.Names(folder)) {
    auto core = NumberAfter(name, "cpu");
    const auto file = folder / name / "cpufreq/scaling_cur_freq";
    if (!core || !root.Exists(file)) continue;
    clocks.push_back({static_cast<int>(*core), WatchedFile(root, file)});
  }
  std::ranges::sort(clocks, {}, &CoreClock::core);
  return clocks;
}

std::vector<CoreFrequency> ReadFrequencies(std::vector<CoreClock>& clocks) {
  std::vector<CoreFrequency> frequencies;
  for (CoreClock& clock : clocks) {
    auto khz = clock.file.Number();
    if (!khz || *khz <= 0) continue;
    frequencies.push_back(
        {.core = clock.core, .hz = static_cast<double>(*khz) * 1000});
  }
  return frequencies;
}

}  // namespace mete
