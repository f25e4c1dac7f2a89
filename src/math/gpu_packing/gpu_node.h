// What a node with GPUs has left, and what a pod requires of it. Knows numbers
// only: names of nodes, pods and types of GPUs stay with the caller.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace mete {

// A whole GPU, in thousandths.
inline constexpr int kWholeGpu = 1000;
// A node has at most this many GPUs.
inline constexpr int kMostGpus = 16;

// A set of types of GPUs, one bit for each. No bit: any type.
using GpuTypes = uint64_t;

// What a node has left.
struct FreeNode {
  int64_t cpu_milli = 0;
  int64_t memory_mib = 0;
  int gpus = 0;       // of the node, free or not
  GpuTypes type = 0;  // the type of its GPUs: one bit
  // Of each GPU; 0 beyond `gpus`.
  std::array<int, kMostGpus> gpu_milli{};

  // Of all GPUs together.
  int FreeGpuMilli() const;
  auto operator<=>(const FreeNode&) const = default;
};

// What a pod requires. `gpus` whole ones, or a part of one.
struct PodShape {
  int64_t cpu_milli = 0;
  int64_t memory_mib = 0;
  int gpus = 0;
  int gpu_milli = 0;   // of each of its GPUs; 0 without GPUs
  GpuTypes types = 0;  // on which it runs

  int TotalGpuMilli() const { return gpus * gpu_milli; }
  // Requires a part of a GPU.
  bool shares() const { return gpus == 1 && gpu_milli < kWholeGpu; }
  auto operator<=>(const PodShape&) const = default;
};

// Some GPUs of a node, one bit for each.
struct GpuSet {
  uint32_t bits = 0;
  static GpuSet One(int gpu) { return {.bits = uint32_t{1} << gpu}; }
  bool Has(int gpu) const { return (bits >> gpu & 1) != 0; }
  int size() const { return std::popcount(bits); }
  auto operator<=>(const GpuSet&) const = default;
};

// Whether the node has a type of GPU on which the pod runs. Pods without GPUs
// run everywhere.
bool TypeFits(const FreeNode& node, const PodShape& pod);

// Whether the pod can be placed on the node.
bool Fits(const FreeNode& node, const PodShape& pod);

// GPUs for a pod that fits, packed tightly: the GPU with the least left that
// is enough, or the first free ones.
GpuSet TightGpus(const FreeNode& node, const PodShape& pod);

// The node with the pod on these GPUs. CHECKs that it fits there.
FreeNode After(const FreeNode& node, const PodShape& pod, GpuSet gpus);

}  // namespace mete
