#include "gpu_packing/type_reserve.h"

#include <cmath>
#include <set>

namespace mete {
namespace {

// The share of a GPU that pods use at most, on average, because parts of it
// stay unused.
constexpr double kUsable = 0.96;

// Whether pods that run on `inner` run on no other types than `outer`.
bool Within(GpuTypes inner, GpuTypes outer) {
  return inner != 0 && (inner & ~outer) == 0;
}

}  // namespace

TypeReserve::TypeReserve(std::span<const PodShare> mix,
                         std::span<const FreeNode> nodes, ReserveRule rule)
    : rule_(rule) {
  double mean = 0;
  std::set<GpuTypes> sets;
  for (const PodShare& pod : mix) {
    mean += pod.share * pod.shape.TotalGpuMilli();
    if (pod.shape.gpus > 0 && pod.shape.types != 0) {
      sets.insert(pod.shape.types);
    }
  }
  if (mean > 0) mean_gpu_milli_ = mean;
  for (const GpuTypes types : sets) {
    Pool pool{.types = types};
    for (const PodShare& pod : mix) {
      if (pod.shape.gpus == 0 || !Within(pod.shape.types, types)) continue;
      const double gpu = pod.shape.TotalGpuMilli();
      pool.mean_need += pod.share * gpu;
      pool.mean_squared_need += pod.share * gpu * gpu;
    }
    pools_.push_back(pool);
  }
  for (const FreeNode& node : nodes) {
    const int free = node.FreeGpuMilli();
    free_gpu_milli_ += free;
    for (Pool& pool : pools_) {
      if ((node.type & pool.types) != 0) pool.free_gpu_milli += free;
    }
  }
}

bool TypeReserve::IsScarce(const Pool& pool) const {
  const double pods = free_gpu_milli_ / mean_gpu_milli_;
  const double need = pods * pool.mean_need;
  double variance = pods * pool.mean_squared_need;
  if (rule_.sample) {
    variance += pods * pods * pool.mean_squared_need / *rule_.sample;
  }
  return kUsable * pool.free_gpu_milli <=
         need + rule_.deviations * std::sqrt(variance);
}

GpuTypes TypeReserve::Scarce(const PodShape& pod) const {
  if (pod.gpus == 0) return 0;
  GpuTypes scarce = 0;
  for (const Pool& pool : pools_) {
    if (!Within(pod.types, pool.types) && IsScarce(pool)) scarce |= pool.types;
  }
  return scarce;
}

void TypeReserve::Place(const FreeNode& node, const PodShape& pod) {
  if (pod.gpus == 0) return;
  const double gpu = pod.TotalGpuMilli();
  free_gpu_milli_ -= gpu;
  for (Pool& pool : pools_) {
    if ((node.type & pool.types) != 0) pool.free_gpu_milli -= gpu;
  }
}

}  // namespace mete
