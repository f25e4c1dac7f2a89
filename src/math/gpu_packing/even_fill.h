// How much of a node's GPUs pods of one shape alone would fill, averaged over
// the shapes of a mix. Unlike fragmentation it counts how many pods fit,
// including their CPU. Pods without GPUs count as a twentieth of a GPU, so
// that room for them is kept where nothing else decides.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "gpu_packing/pod_mix.h"

namespace mete {

// Built once for a mix; evaluated a million times in a run. Memory is ignored.
class EvenFill {
 public:
  // How many pods fit on a node as far as GPUs are concerned, for each
  // combination of GPUs that pods require.
  using Counts = std::vector<int>;

  // `types` are those that nodes have. `unit` as from GpuUnit.
  EvenFill(std::span<const PodShare> mix, std::span<const GpuTypes> types,
           int unit);
  Counts CountsOf(const FreeNode& node) const;
  // In thousandths of a GPU. `counts` are the node's.
  double Of(const FreeNode& node, const Counts& counts) const;
  // Of the node with the pod on these GPUs; `counts` without it.
  double After(const FreeNode& node, const Counts& counts, const PodShape& pod,
               GpuSet gpus) const;

 private:
  // Pods with the same GPUs and CPU that may run on a type of GPU.
  struct SamePods {
    double per_cpu_milli = 0;  // the inverse of their CPU; 0 if it is 0
    double weight = 0;         // their share times the GPU of a pod
  };
  // How often their CPU fits; `most` if they need none.
  static int Times(const SamePods& pods, double cpu_milli, int most);
  const std::vector<int>& OnGpu(int gpu_milli) const {
    return on_gpu_[static_cast<size_t>(gpu_milli / unit_)];
  }
  double Sum(GpuTypes type, int64_t cpu_milli, const Counts& counts) const;

  int unit_;
  std::vector<SamePods> without_gpus_;
  std::vector<int> several_;  // number of GPUs, for each combination
  // By units left on a GPU: how often each combination uses it.
  std::vector<std::vector<int>> on_gpu_;
  std::map<GpuTypes, std::vector<std::vector<SamePods>>> pods_;
};

}  // namespace mete
