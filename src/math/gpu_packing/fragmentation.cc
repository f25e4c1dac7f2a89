#include "gpu_packing/fragmentation.h"

namespace mete {
namespace {

// What the pod could use of the free GPUs.
int Usable(const FreeNode& node, const PodShape& pod) {
  if (pod.gpus == 0 || node.cpu_milli < pod.cpu_milli || !TypeFits(node, pod)) {
    return 0;
  }
  int gpus = 0;
  int sum = 0;
  for (int i = 0; i < node.gpus; ++i) {
    const int left = node.gpu_milli[static_cast<size_t>(i)];
    if (left < pod.gpu_milli) continue;
    ++gpus;
    sum += left;
  }
  return gpus >= pod.gpus ? sum : 0;
}

}  // namespace

double Fragmentation(const FreeNode& node, std::span<const PodShare> typical) {
  double usable = 0;
  for (const PodShare& pod : typical) {
    usable += pod.share * Usable(node, pod.shape);
  }
  return node.FreeGpuMilli() - usable;
}

}  // namespace mete
