// mete's own policy: places a pod where the free part of the cluster loses the
// least worth. docs/internals/gpu-packing.md explains it.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "gpu_packing/gpu_policy.h"
#include "gpu_packing/host_reserve.h"
#include "gpu_packing/pod_mix.h"
#include "support/result.h"

namespace mete {

// What the policy assumes.
struct ResidualPolicySettings {
  // The GPUs that are going to arrive, as a multiple of the cluster's.
  double demand_level = 1.05;
  // How much EvenFill counts beside the worth of what is left: enough to decide
  // between nodes that lose the same worth.
  double even_fill_weight = 0.01;
  ReserveRule reserve;
};

// A cluster and what is known about the pods to come.
struct ResidualPolicyRequest {
  std::span<const FreeNode> nodes;  // empty ones; not kept
  // Absent: the policy learns the mix from the pods that arrive.
  std::optional<PodMix> mix;
  ResidualPolicySettings settings;
};

// Fails with kUnavailable if Clp cannot be loaded.
Result<std::unique_ptr<GpuPolicy>> ResidualPolicy(
    const ResidualPolicyRequest& request);

}  // namespace mete
