#include "devices/cpu_load.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mete {
namespace {

// Long enough for fifty ticks of the kernel's accounting.
constexpr std::chrono::milliseconds kWatched{500};

}  // namespace

std::optional<double> ReadCpuLoad(MachineProbe& probe, Clock& clock,
                                  std::stop_token stop) {
  std::map<int, Seconds> before;
  for (const CoreBusy& core : probe.Read().core_busy) {
    before[core.core] = core.time;
  }
  if (before.empty()) return std::nullopt;
  std::chrono::nanoseconds start = clock.Now();
  if (!clock.SleepFor(kWatched, std::move(stop))) return std::nullopt;
  MachineSample after = probe.Read();
  Seconds watched = clock.Now() - start;
  Seconds busy{0};
  double cores = 0;
  for (const CoreBusy& core : after.core_busy) {
    auto found = before.find(core.core);
    if (found == before.end()) continue;
    busy += core.time - found->second;
    cores += 1;
  }
  if (cores == 0 || watched <= Seconds(0)) return std::nullopt;
  return std::clamp(busy / watched / cores, 0.0, 1.0);
}

}  // namespace mete
