// Decides where an arriving pod goes.
#pragma once

#include <optional>
#include <span>

#include "gpu_packing/gpu_node.h"

namespace mete {

// A node, as an index, and GPUs of it.
struct GpuPlacing {
  size_t node = 0;
  GpuSet gpus;
};

// A policy sees pods one by one, in the order of their arrival, and decides at
// once. It may keep what it computed about nodes: between two calls, only the
// node changes that the previous call chose, by exactly that pod. Not safe for
// concurrent use.
class GpuPolicy {
 public:
  virtual ~GpuPolicy() = default;
  // Absent if the pod fits nowhere. `nodes` are always the same ones, in the
  // order of their names.
  virtual std::optional<GpuPlacing> Choose(std::span<const FreeNode> nodes,
                                           const PodShape& pod) = 0;
};

}  // namespace mete
