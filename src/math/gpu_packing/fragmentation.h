// The fragmentation of a node as FGD defines it: how much of its free GPUs a
// typical pod could not use. Weng et al., "Beware of Fragmentation: Scheduling
// GPU-Sharing Workloads with Fragmentation Gradient Descent", USENIX ATC 2023,
// section 3.
#pragma once

#include <span>

#include "gpu_packing/pod_mix.h"

namespace mete {

// In thousandths of a GPU, the mean over the typical pods. A pod that cannot be
// placed on the node, or requires no GPU, can use nothing; one that can be
// placed uses each GPU of which enough is left (equations 1 and 2). Memory is
// ignored.
double Fragmentation(const FreeNode& node, std::span<const PodShare> typical);

}  // namespace mete
