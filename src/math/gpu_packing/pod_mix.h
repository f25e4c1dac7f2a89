// How often each shape of pod arrives: known from a trace, or learnt from the
// pods that arrived so far.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "gpu_packing/gpu_node.h"

namespace mete {

// A shape and how large its share of all pods is.
struct PodShare {
  PodShape shape;
  double share = 0;
};

// Counts shapes.
class PodMix {
 public:
  void Add(const PodShape& shape, double count = 1);
  double total() const { return total_; }
  const std::map<PodShape, double>& counts() const { return counts_; }

 private:
  std::map<PodShape, double> counts_;
  double total_ = 0;
};

// The mix of a list of pods.
PodMix MixOf(std::span<const PodShape> pods);

// The most frequent shapes that make up at least `popularity` of all pods,
// with shares that sum to 1. Memory is ignored, as in FGD (below), so every
// memory_mib is 0. Equally frequent shapes are ordered by what they require,
// the largest first.
std::vector<PodShare> TypicalPods(const PodMix& mix, double popularity);

// Pods that require the same GPUs become one, with the mean of their CPU and of
// their memory. Pods without GPUs stay as they are.
std::vector<PodShare> MergeByGpus(std::span<const PodShare> mix);

}  // namespace mete
