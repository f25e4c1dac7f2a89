#include "gpu_packing/pod_mix.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace mete {
namespace {

// Largest first: by count, then CPU, GPU, number of GPUs and types.
bool MoreTypical(const PodShare& a, const PodShare& b) {
  const auto key = [](const PodShare& pod) {
    return std::tuple(pod.share, pod.shape.cpu_milli, pod.shape.gpu_milli,
                      pod.shape.gpus, pod.shape.types);
  };
  return key(a) > key(b);
}

}  // namespace

void PodMix::Add(const PodShape& shape, double count) {
  counts_[shape] += count;
  total_ += count;
}

PodMix MixOf(std::span<const PodShape> pods) {
  PodMix mix;
  for (const PodShape& pod : pods) mix.Add(pod);
  return mix;
}

std::vector<PodShare> TypicalPods(const PodMix& mix, double popularity) {
  PodMix merged;
  for (const auto& [shape, count] : mix.counts()) {
    PodShape without_memory = shape;
    without_memory.memory_mib = 0;
    merged.Add(without_memory, count);
  }
  std::vector<PodShare> pods;
  for (const auto& [shape, count] : merged.counts()) {
    pods.push_back({.shape = shape, .share = count});
  }
  std::sort(pods.begin(), pods.end(), MoreTypical);
  double sum = 0;
  size_t kept = 0;
  while (kept < pods.size() && sum < popularity * mix.total()) {
    sum += pods[kept++].share;
  }
  pods.resize(kept);
  for (PodShare& pod : pods) pod.share /= sum;
  return pods;
}

std::vector<PodShare> MergeByGpus(std::span<const PodShare> mix) {
  struct Sums {
    double share = 0;
    double cpu_milli = 0;
    double memory_mib = 0;
  };
  std::map<PodShape, Sums> merged;
  for (const auto& [shape, share] : mix) {
    PodShape key = shape;
    if (shape.gpus > 0) {
      key.cpu_milli = 0;
      key.memory_mib = 0;
    }
    Sums& sums = merged[key];
    sums.share += share;
    sums.cpu_milli += share * static_cast<double>(shape.cpu_milli);
    sums.memory_mib += share * static_cast<double>(shape.memory_mib);
  }
  std::vector<PodShare> list;
  for (const auto& [key, sums] : merged) {
    PodShare pod{.shape = key, .share = sums.share};
    pod.shape.cpu_milli = std::llround(sums.cpu_milli / sums.share);
    pod.shape.memory_mib = std::llround(sums.memory_mib / sums.share);
    list.push_back(pod);
  }
  return list;
}

}  // namespace mete
