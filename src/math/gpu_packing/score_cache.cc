#include "gpu_packing/score_cache.h"

namespace mete {

std::span<const ScoredGpus> ScoreCache::Scores(std::span<const FreeNode> nodes,
                                               const PodShape& pod) {
  ShapeScores& known = known_[pod];
  const auto rate = [&](size_t node) {
    known.scores[node] = Fits(nodes[node], pod)
                             ? score_.Rate(nodes, node, pod)
                             : ScoredGpus{.score = kDoesNotFit};
  };
  if (known.scores.empty()) {
    known.scores.resize(nodes.size());
    // Neighbours are often equal, above all while a cluster is empty.
    for (size_t node = 0; node < nodes.size(); ++node) {
      if (node > 0 && nodes[node] == nodes[node - 1]) {
        known.scores[node] = known.scores[node - 1];
      } else {
        rate(node);
      }
    }
  } else {
    for (size_t i = known.changes_seen; i < changed_.size(); ++i) {
      rate(changed_[i]);
    }
  }
  known.changes_seen = changed_.size();
  return known.scores;
}

void ScoreCache::Changed(size_t node) {
  score_.Changed(node);
  changed_.push_back(node);
}

}  // namespace mete
