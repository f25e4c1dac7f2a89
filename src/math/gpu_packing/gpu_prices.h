// What it is worth to serve a pod, if demand exceeds what a cluster's GPUs can
// hold: a linear program decides which pods share GPUs, and its prices say what
// a pod adds. docs/internals/gpu-packing.md explains the method.
#pragma once

#include <span>
#include <vector>

#include "gpu_packing/pod_mix.h"
#include "support/result.h"

namespace mete {

// A shape and the worth of serving one pod of it, in thousandths of a GPU: what
// it occupies less the price of its demand. Rare small pods that fill gaps are
// worth little, because there are too few of them to count on. Not negative.
struct PricedShape {
  PodShape shape;
  double worth = 0;
};

// The mix that arrives, and how much of it.
struct GpuDemand {
  std::span<const PodShare> mix;
  // The GPUs that arrive, as a multiple of the cluster's.
  double level = 1;
};

// The pods of the mix that require GPUs, merged as by MergeByGpus. `nodes` are
// empty ones. CPU and memory are not in the program: its prices for them jump
// from nothing to a lot at a small change of the demand, and lead the policy
// astray.
// Fails with kUnavailable if Clp cannot be loaded or gives up.
Result<std::vector<PricedShape>> PriceShapes(std::span<const FreeNode> nodes,
                                             const GpuDemand& demand);

// The largest number that divides a whole GPU and the part of every pod: gaps
// are multiples of it.
int GpuUnit(std::span<const PodShare> mix);

}  // namespace mete
