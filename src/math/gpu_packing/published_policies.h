// The policies that the FGD paper compares, as its authors' simulator computes
// them, so that its figures can be reproduced.
#pragma once

#include <memory>
#include <vector>

#include "gpu_packing/gpu_policy.h"
#include "gpu_packing/pod_mix.h"

namespace mete {

// Chooses among the nodes on which the pod fits, all equally likely.
std::unique_ptr<GpuPolicy> RandomPolicy(uint64_t seed);

// Prefers nodes on which the least CPU and GPU remain, each as a share of the
// largest node's.
std::unique_ptr<GpuPolicy> BestFitPolicy();

// Prefers nodes with the smallest scalar product of what is free and what the
// pod requires, as shares of the largest node's.
std::unique_ptr<GpuPolicy> DotProductPolicy();

// Fragmentation gradient descent: prefers nodes and GPUs whose fragmentation
// (fragmentation.h) grows least.
std::unique_ptr<GpuPolicy> FgdPolicy(std::vector<PodShare> typical);

}  // namespace mete
