// One simulated run: pods arrive at a cluster of GPU nodes one by one.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu_packing/gpu_policy.h"
#include "simulate/gpu_trace.h"
#include "support/random.h"
#include "support/units.h"

namespace mete {

// Draws pods from a trace: each one once in a random order, then any at random.
class PodArrivals {
 public:
  PodArrivals(std::span<const PodShape> pods, uint64_t seed);
  PodShape Next();

 private:
  std::span<const PodShape> pods_;
  Random random_;
  std::vector<PodShape> shuffled_;
  size_t next_ = 0;
};

// The state of the cluster after a given demand has arrived.
struct SimulatedLevel {
  double arrived = 0;    // GPUs required so far, as a multiple of the cluster's
  double allocated = 0;  // GPUs in use, as a share of the cluster's
  size_t pods = 0;       // that arrived
  // By the number of their GPUs; 0: pods without GPUs.
  std::map<int, size_t> rejected;

  size_t AllRejected() const;
  size_t RejectedWith(int gpus) const;
};

// How the pods arrive.
struct ArrivalPlan {
  uint64_t seed = 1;
  // At which demand results are recorded; ascending. The run ends at the last.
  std::vector<double> levels{1};
};

// Places every pod at once, or rejects it for good if it fits nowhere. Pods
// never end. Absent if `stop` was requested before the last level.
std::optional<std::vector<SimulatedLevel>> SimulateRun(
    const GpuTrace& trace, const ArrivalPlan& plan, GpuPolicy& policy,
    const std::stop_token& stop = {});

}  // namespace mete
