#include "gpu_packing/scored_policy.h"

#include <algorithm>

namespace mete {

ScoredPolicy::ScoredPolicy(std::unique_ptr<NodeScore> score)
    : score_(std::move(score)), cache_(*score_) {}

std::optional<GpuPlacing> ScoredPolicy::Choose(std::span<const FreeNode> nodes,
                                               const PodShape& pod) {
  const std::span<const ScoredGpus> scores = cache_.Scores(nodes, pod);
  const auto best = std::ranges::max_element(scores, {}, &ScoredGpus::score);
  if (best == scores.end() || best->score == kDoesNotFit) return std::nullopt;
  const auto node = static_cast<size_t>(best - scores.begin());
  const GpuPlacing choice{.node = node, .gpus = best->gpus};
  cache_.Changed(node);
  return choice;
}

}  // namespace mete
