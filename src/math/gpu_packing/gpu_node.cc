#include "gpu_packing/gpu_node.h"

#include <numeric>

#include "support/check.h"

namespace mete {
namespace {

// How many GPUs have at least this much left.
int GpusWith(const FreeNode& node, int gpu_milli) {
  int count = 0;
  for (int i = 0; i < node.gpus; ++i) {
    if (node.gpu_milli[static_cast<size_t>(i)] >= gpu_milli) ++count;
  }
  return count;
}

}  // namespace

int FreeNode::FreeGpuMilli() const {
  return std::accumulate(gpu_milli.begin(), gpu_milli.begin() + gpus, 0);
}

bool TypeFits(const FreeNode& node, const PodShape& pod) {
  return pod.gpus == 0 || pod.types == 0 || (node.type & pod.types) != 0;
}

bool Fits(const FreeNode& node, const PodShape& pod) {
  return node.cpu_milli >= pod.cpu_milli && node.memory_mib >= pod.memory_mib &&
         TypeFits(node, pod) &&
         (pod.gpus == 0 || GpusWith(node, pod.gpu_milli) >= pod.gpus);
}

GpuSet TightGpus(const FreeNode& node, const PodShape& pod) {
  GpuSet chosen;
  for (int wanted = 0; wanted < pod.gpus; ++wanted) {
    int best = -1;
    for (int i = 0; i < node.gpus; ++i) {
      const int left = node.gpu_milli[static_cast<size_t>(i)];
      if (left < pod.gpu_milli || chosen.Has(i)) continue;
      if (best < 0 || left < node.gpu_milli[static_cast<size_t>(best)])
        best = i;
    }
    CHECK(best >= 0) << "the pod does not fit";
    chosen.bits |= GpuSet::One(best).bits;
  }
  return chosen;
}

FreeNode After(const FreeNode& node, const PodShape& pod, GpuSet gpus) {
  CHECK(gpus.size() == pod.gpus) << "wrong number of GPUs";
  FreeNode after = node;
  after.cpu_milli -= pod.cpu_milli;
  after.memory_mib -= pod.memory_mib;
  CHECK(after.cpu_milli >= 0 && after.memory_mib >= 0) << "no room";
  for (int i = 0; i < kMostGpus; ++i) {
    if (!gpus.Has(i)) continue;
    int& left = after.gpu_milli[static_cast<size_t>(i)];
    left -= pod.gpu_milli;
    CHECK(left >= 0 && i < node.gpus) << "GPU " << i << " has no room";
  }
  return after;
}

}  // namespace mete
