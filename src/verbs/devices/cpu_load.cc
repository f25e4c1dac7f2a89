#include "devices/cpu_load.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace mete {
namespace {

// Long enough for fifty ticks of the kernel's accounting.
constexpr std::chrono::milliseconds kWatched{500};
// Up to this load, an engine can take little more than what is idle: a program
// with one busy thread on five cores gives up a sixth of its time.
constexpr double kLeavesEnough = 0.2;

// Threads that compute until the object is destroyed.
class BusyThreads {
 public:
  explicit BusyThreads(int threads) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([](const std::stop_token& stop) {
        std::atomic<uint64_t> count{0};
        while (!stop.stop_requested()) ++count;
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

// The share of the cores that was in use during half a second. Leaves out the
// CPU time of this process if `own_counts` is false.
std::optional<double> Watch(MachineProbe& probe, Clock& clock, bool own_counts,
                            std::stop_token stop) {
  std::map<int, Seconds> before;
  for (const CoreBusy& core : probe.Read().core_busy) {
    before[core.core] = core.time;
  }
  if (before.empty()) return std::nullopt;
  const std::chrono::nanoseconds start = clock.Now();
  const Seconds own_before = clock.ProcessCpu();
  if (!clock.SleepFor(kWatched, std::move(stop))) return std::nullopt;
  MachineSample after = probe.Read();
  Seconds watched = clock.Now() - start;
  Seconds busy{0};
  if (!own_counts) busy -= clock.ProcessCpu() - own_before;
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

}  // namespace

std::shared_ptr<void> KeepThreadsBusy(int threads) {
  return std::make_shared<BusyThreads>(threads);
}

std::optional<double> ReadCpuLoad(MachineProbe& probe, Clock& clock,
                                  std::stop_token stop) {
  return Watch(probe, clock, true, std::move(stop));
}

std::optional<LoadReading> ReadLoadBeside(const LoadQuestion& question,
                                          const std::stop_token& stop) {
  std::optional<double> alone =
      ReadCpuLoad(question.probe, question.clock, stop);
  if (!alone) return std::nullopt;
  if (*alone <= kLeavesEnough) return LoadReading{.load = *alone};
  auto busy = question.compete(question.threads);
  std::optional<double> beside =
      Watch(question.probe, question.clock, false, stop);
  if (!beside) return std::nullopt;
  return LoadReading{.load = *beside, .competed = true};
}

}  // namespace mete
