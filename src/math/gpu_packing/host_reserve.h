// Keeps enough nodes free for pods with several GPUs: they are rare, but only a
// node with that many free GPUs can take one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu_packing/pod_mix.h"

namespace mete {

// How cautious a reserve is about the number of pods that are still to come.
struct ReserveRule {
  // Standard deviations of the number of arrivals (as of a Poisson
  // distribution) that are kept in reserve.
  double deviations = 3;
  // The number of pods from which the mix was learnt, which makes its shares
  // uncertain. Absent: the mix is known.
  std::optional<double> sample;
};

// Follows which nodes could host each shape with several GPUs.
class HostReserve {
 public:
  // The shapes of the mix with several GPUs; the 64 most frequent ones. `empty`
  // are the nodes without pods, `nodes` their current state.
  HostReserve(std::span<const PodShare> mix, std::span<const FreeNode> empty,
              std::span<const FreeNode> nodes, ReserveRule rule);

  // One bit for each shape whose hosts are scarce: at most as many as pods of
  // this shape are expected until the GPUs of the cluster are used up. Shapes
  // with no more GPUs than the pod are left out.
  uint64_t Scarce(const PodShape& pod) const;
  // Whether a node hosts one of these shapes, but not with the pod on it.
  bool Breaks(uint64_t scarce, std::span<const FreeNode> nodes, size_t node,
              const PodShape& pod, GpuSet gpus) const;
  // The pod is about to be placed.
  void Place(std::span<const FreeNode> nodes, size_t node, const PodShape& pod,
             GpuSet gpus);

 private:
  // A shape with the share of pods that need such a host.
  struct Guest {
    PodShape shape;
    double share = 0;
    int hosts = 0;
  };
  void AssumeLargePods(std::span<const FreeNode> empty);
  uint64_t Hosts(const FreeNode& node) const;
  // At most this many such pods are to be expected.
  double MostArrivals(const Guest& guest) const;

  ReserveRule rule_;
  std::vector<Guest> guests_;
  std::vector<uint64_t> hosts_;  // of each node
  double free_gpu_milli_ = 0;
  double mean_gpu_milli_ = 1;  // of a pod, including pods without GPUs
};

}  // namespace mete
