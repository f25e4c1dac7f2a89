// The scores of every shape of pod on every node, computed when they are needed
// and kept until a node changes.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <vector>

#include "gpu_packing/gpu_node.h"

namespace mete {

// A score, where more is better, and the GPUs it is for.
struct ScoredGpus {
  double score = 0;
  GpuSet gpus;
};

// The score of a node on which the pod does not fit.
inline constexpr double kDoesNotFit = -std::numeric_limits<double>::infinity();

// Rates pods on nodes.
class NodeScore {
 public:
  virtual ~NodeScore() = default;
  // The pod fits. The result depends only on the node's state and the pod.
  virtual ScoredGpus Rate(std::span<const FreeNode> nodes, size_t node,
                          const PodShape& pod) = 0;
  // The node will change; what is known about it is no longer true.
  virtual void Changed(size_t /*node*/) {}
};

// `score` is borrowed. Between two calls, only nodes reported to Changed may
// change.
class ScoreCache {
 public:
  explicit ScoreCache(NodeScore& score) : score_(score) {}

  // One for each node. Valid until the next call.
  std::span<const ScoredGpus> Scores(std::span<const FreeNode> nodes,
                                     const PodShape& pod);
  void Changed(size_t node);

 private:
  struct ShapeScores {
    std::vector<ScoredGpus> scores;
    size_t changes_seen = 0;  // of changed_
  };

  NodeScore& score_;
  std::map<PodShape, ShapeScores> known_;
  std::vector<size_t> changed_;  // nodes, in the order of their changes
};

}  // namespace mete
