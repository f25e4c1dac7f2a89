// Chooses the node with the highest score.
#pragma once

#include <memory>

#include "gpu_packing/gpu_policy.h"
#include "gpu_packing/score_cache.h"

namespace mete {

// Of nodes with equal scores, the first.
class ScoredPolicy : public GpuPolicy {
 public:
  explicit ScoredPolicy(std::unique_ptr<NodeScore> score);
  std::optional<GpuPlacing> Choose(std::span<const FreeNode> nodes,
                                   const PodShape& pod) override;

 private:
  std::unique_ptr<NodeScore> score_;
  ScoreCache cache_;
};

}  // namespace mete
