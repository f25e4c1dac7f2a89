#include "gpu_packing/published_policies.h"

#include <cmath>

#include "gpu_packing/fragmentation.h"
#include "gpu_packing/scored_policy.h"
#include "support/random.h"

namespace mete {
namespace {

// The largest node, by which the authors' simulator divides. Scores are whole
// numbers up to 100 there; ties that arise from rounding matter.
constexpr double kLargestCpu = 128000;
constexpr double kLargestGpu = 8 * kWholeGpu;

double Rounded(double score) { return std::trunc(100 * score); }

class ChooseAtRandom : public GpuPolicy {
 public:
  explicit ChooseAtRandom(uint64_t seed) : random_(seed) {}
  std::optional<GpuPlacing> Choose(std::span<const FreeNode> nodes,
                                   const PodShape& pod) override {
    fitting_.clear();
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (Fits(nodes[i], pod)) fitting_.push_back(i);
    }
    if (fitting_.empty()) return std::nullopt;
    const size_t node = fitting_[random_.Below(fitting_.size())];
    return GpuPlacing{.node = node, .gpus = AnyGpus(nodes[node], pod)};
  }

 private:
  GpuSet AnyGpus(const FreeNode& node, const PodShape& pod) {
    if (!pod.shares()) return TightGpus(node, pod);
    std::vector<int> enough;
    for (int i = 0; i < node.gpus; ++i) {
      if (node.gpu_milli[static_cast<size_t>(i)] >= pod.gpu_milli) {
        enough.push_back(i);
      }
    }
    return GpuSet::One(enough[random_.Below(enough.size())]);
  }

  Random random_;
  std::vector<size_t> fitting_;
};

class BestFitScore : public NodeScore {
 public:
  ScoredGpus Rate(std::span<const FreeNode> nodes, size_t index,
                  const PodShape& pod) override {
    const FreeNode& node = nodes[index];
    const double cpu =
        static_cast<double>(node.cpu_milli - pod.cpu_milli) / kLargestCpu;
    const double gpu =
        (node.FreeGpuMilli() - pod.TotalGpuMilli()) / kLargestGpu;
    return {.score = Rounded(1 - (cpu + gpu) / 2),
            .gpus = TightGpus(node, pod)};
  }
};

class DotProductScore : public NodeScore {
 public:
  ScoredGpus Rate(std::span<const FreeNode> nodes, size_t index,
                  const PodShape& pod) override {
    const FreeNode& node = nodes[index];
    const double cpu = static_cast<double>(node.cpu_milli) / kLargestCpu *
                       static_cast<double>(pod.cpu_milli) / kLargestCpu;
    const double gpu =
        node.FreeGpuMilli() / kLargestGpu * (pod.TotalGpuMilli() / kLargestGpu);
    return {.score = Rounded(1 - (cpu + gpu) / 2),
            .gpus = TightGpus(node, pod)};
  }
};

class FgdScore : public NodeScore {
 public:
  explicit FgdScore(std::vector<PodShare> typical)
      : typical_(std::move(typical)) {}

  ScoredGpus Rate(std::span<const FreeNode> nodes, size_t index,
                  const PodShape& pod) override {
    const FreeNode& node = nodes[index];
    const double before = Fragmentation(node, typical_);
    if (!pod.shares()) return RateOn(node, pod, TightGpus(node, pod), before);
    ScoredGpus best{.score = -1};
    for (int i = 0; i < node.gpus; ++i) {
      if (node.gpu_milli[static_cast<size_t>(i)] < pod.gpu_milli) continue;
      const ScoredGpus rated = RateOn(node, pod, GpuSet::One(i), before);
      if (rated.score > best.score) best = rated;
    }
    return best;
  }

 private:
  ScoredGpus RateOn(const FreeNode& node, const PodShape& pod, GpuSet gpus,
                    double before) const {
    const double growth =
        Fragmentation(After(node, pod, gpus), typical_) - before;
    return {.score = Rounded(1 / (1 + std::exp(growth / kWholeGpu))),
            .gpus = gpus};
  }

  std::vector<PodShare> typical_;
};

}  // namespace

std::unique_ptr<GpuPolicy> RandomPolicy(uint64_t seed) {
  return std::make_unique<ChooseAtRandom>(seed);
}

std::unique_ptr<GpuPolicy> BestFitPolicy() {
  return std::make_unique<ScoredPolicy>(std::make_unique<BestFitScore>());
}

std::unique_ptr<GpuPolicy> DotProductPolicy() {
  return std::make_unique<ScoredPolicy>(std::make_unique<DotProductScore>());
}

std::unique_ptr<GpuPolicy> FgdPolicy(std::vector<PodShare> typical) {
  return std::make_unique<ScoredPolicy>(
      std::make_unique<FgdScore>(std::move(typical)));
}

}  // namespace mete
