#include "simulate/simulate_run.h"

#include <numeric>

namespace mete {

PodArrivals::PodArrivals(std::span<const PodShape> pods, uint64_t seed)
    : pods_(pods), random_(seed), shuffled_(pods.begin(), pods.end()) {
  Shuffle(shuffled_, random_);
}

PodShape PodArrivals::Next() {
  if (next_ < shuffled_.size()) return shuffled_[next_++];
  return pods_[random_.Below(pods_.size())];
}

size_t SimulatedLevel::AllRejected() const {
  return std::accumulate(
      rejected.begin(), rejected.end(), size_t{0},
      [](size_t sum, const auto& entry) { return sum + entry.second; });
}

size_t SimulatedLevel::RejectedWith(int gpus) const {
  const auto found = rejected.find(gpus);
  return found == rejected.end() ? 0 : found->second;
}

std::optional<std::vector<SimulatedLevel>> SimulateRun(
    const GpuTrace& trace, const ArrivalPlan& plan, GpuPolicy& policy,
    const std::stop_token& stop) {
  std::vector<FreeNode> nodes = trace.nodes;
  PodArrivals arrivals(trace.pods, plan.seed);
  const auto capacity = static_cast<double>(trace.GpuMilli());
  std::vector<SimulatedLevel> levels;
  SimulatedLevel now;
  int64_t arrived = 0;
  int64_t allocated = 0;
  for (const double level : plan.levels) {
    while (static_cast<double>(arrived) < level * capacity) {
      if (stop.stop_requested()) return std::nullopt;
      const PodShape pod = arrivals.Next();
      ++now.pods;
      arrived += pod.TotalGpuMilli();
      if (const auto choice = policy.Choose(nodes, pod)) {
        nodes[choice->node] = After(nodes[choice->node], pod, choice->gpus);
        allocated += pod.TotalGpuMilli();
      } else {
        ++now.rejected[pod.gpus];
      }
    }
    now.arrived = static_cast<double>(arrived) / capacity;
    now.allocated = static_cast<double>(allocated) / capacity;
    levels.push_back(now);
  }
  return levels;
}

}  // namespace mete
