// Keeps GPUs of each type free for the pods that run on no other type.
#pragma once

#include <span>
#include <vector>

#include "gpu_packing/host_reserve.h"

namespace mete {

// Follows how much is left of the GPUs of each set of types that pods ask for.
class TypeReserve {
 public:
  // `nodes` as they are now.
  TypeReserve(std::span<const PodShare> mix, std::span<const FreeNode> nodes,
              ReserveRule rule);

  // The types that the pod should avoid, because what is left of them is no
  // more than what pods that run nowhere else are expected to need until the
  // GPUs of the cluster are used up.
  GpuTypes Scarce(const PodShape& pod) const;
  void Place(const FreeNode& node, const PodShape& pod);

 private:
  // A set of types, and what pods need that run only on these.
  struct Pool {
    GpuTypes types = 0;
    double free_gpu_milli = 0;
    // Of one pod that arrives, whatever it requires.
    double mean_need = 0;
    double mean_squared_need = 0;
  };
  bool IsScarce(const Pool& pool) const;

  ReserveRule rule_;
  std::vector<Pool> pools_;
  double free_gpu_milli_ = 0;
  double mean_gpu_milli_ = 1;  // of a pod, including pods without GPUs
};

}  // namespace mete
