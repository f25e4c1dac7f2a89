// Nodes and pods for tests.
#pragma once

#include <algorithm>
#include <vector>

#include "gpu_packing/gpu_node.h"
#include "support/random.h"

namespace mete {

inline constexpr GpuTypes kTypeA = 1;
inline constexpr GpuTypes kTypeB = 2;
inline constexpr GpuTypes kOnlyTypeA[] = {kTypeA};

// A node whose GPUs have this much left, with 64 CPUs and 256 GiB.
inline FreeNode NodeWith(std::vector<int> gpu_milli, GpuTypes type = kTypeA) {
  FreeNode node{.cpu_milli = 64000,
                .memory_mib = 262144,
                .gpus = static_cast<int>(gpu_milli.size()),
                .type = type};
  std::copy(gpu_milli.begin(), gpu_milli.end(), node.gpu_milli.begin());
  return node;
}

// A pod with a part of a GPU, or a whole one, and 4 CPUs.
inline PodShape PodWith(int gpu_milli) {
  return {.cpu_milli = 4000, .gpus = 1, .gpu_milli = gpu_milli};
}

inline PodShape PodWithGpus(int gpus) {
  return {
      .cpu_milli = int64_t{4000} * gpus, .gpus = gpus, .gpu_milli = kWholeGpu};
}

inline PodShape PodOfCpus(int64_t cpu_milli) {
  return {.cpu_milli = cpu_milli};
}

// A pod with up to 32 CPUs and a multiple of a twentieth of a GPU, a few GPUs,
// or none.
inline PodShape AnyPod(Random& random) {
  PodShape pod{.cpu_milli = static_cast<int64_t>(random.Below(32)) * 1000,
               .memory_mib = static_cast<int64_t>(random.Below(64)) * 1024};
  const uint64_t kind = random.Below(8);
  if (kind == 0) return pod;
  pod.gpus = kind == 1 ? 2 : kind == 2 ? 4 : 1;
  pod.gpu_milli =
      kind < 4 ? kWholeGpu : static_cast<int>(1 + random.Below(20)) * 50;
  return pod;
}

// A node with up to 8 GPUs in any state.
inline FreeNode AnyNode(Random& random) {
  FreeNode node{.cpu_milli = static_cast<int64_t>(random.Below(96)) * 1000,
                .memory_mib = static_cast<int64_t>(random.Below(256)) * 1024,
                .gpus = static_cast<int>(1 + random.Below(8)),
                .type = kTypeA};
  for (int i = 0; i < node.gpus; ++i) {
    node.gpu_milli[static_cast<size_t>(i)] =
        random.Below(2) == 0 ? kWholeGpu
                             : static_cast<int>(random.Below(21)) * 50;
  }
  return node;
}

}  // namespace mete
