#include "gpu_packing/even_fill.h"

#include <algorithm>
#include <utility>

namespace mete {
namespace {

using GpusAndPart = std::pair<int, int>;

// What a pod without GPUs counts, in thousandths of a GPU.
constexpr double kWithoutGpus = 50;

double InverseOf(int64_t cpu_milli) {
  return cpu_milli > 0 ? 1 / static_cast<double>(cpu_milli) : 0;
}

std::map<GpusAndPart, size_t> Combinations(std::span<const PodShare> mix) {
  std::map<GpusAndPart, size_t> combinations;
  for (const PodShare& pod : mix) {
    if (pod.shape.gpus > 0) {
      combinations[{pod.shape.gpus, pod.shape.gpu_milli}] = 0;
    }
  }
  size_t next = 0;
  for (auto& [key, index] : combinations) index = next++;
  return combinations;
}

}  // namespace

EvenFill::EvenFill(std::span<const PodShare> mix,
                   std::span<const GpuTypes> types, int unit)
    : unit_(unit) {
  const std::map<GpusAndPart, size_t> combinations = Combinations(mix);
  for (int left = 0; left <= kWholeGpu; left += unit) {
    std::vector<int>& row = on_gpu_.emplace_back();
    for (const auto& [key, index] : combinations) {
      row.push_back(left / key.second);
    }
  }
  for (const auto& [key, index] : combinations) several_.push_back(key.first);
  for (const auto& [shape, share] : mix) {
    if (shape.gpus > 0) continue;
    without_gpus_.push_back({.per_cpu_milli = InverseOf(shape.cpu_milli),
                             .weight = share * kWithoutGpus});
  }
  for (const GpuTypes type : types) {
    // By CPU: shapes that differ only in types are one.
    std::vector<std::map<int64_t, double>> merged(combinations.size());
    for (const auto& [shape, share] : mix) {
      if (shape.gpus == 0 || (shape.types != 0 && (shape.types & type) == 0)) {
        continue;
      }
      merged[combinations.at({shape.gpus, shape.gpu_milli})][shape.cpu_milli] +=
          share * shape.TotalGpuMilli();
    }
    std::vector<std::vector<SamePods>>& pods = pods_[type];
    for (const auto& by_cpu : merged) {
      std::vector<SamePods>& same = pods.emplace_back();
      for (const auto& [cpu, weight] : by_cpu) {
        same.push_back({.per_cpu_milli = InverseOf(cpu), .weight = weight});
      }
    }
  }
}

EvenFill::Counts EvenFill::CountsOf(const FreeNode& node) const {
  Counts counts(several_.size(), 0);
  for (int i = 0; i < node.gpus; ++i) {
    const auto& on_gpu = OnGpu(node.gpu_milli[static_cast<size_t>(i)]);
    for (size_t c = 0; c < counts.size(); ++c) counts[c] += on_gpu[c];
  }
  return counts;
}

int EvenFill::Times(const SamePods& pods, double cpu_milli, int most) {
  if (pods.per_cpu_milli == 0) return most;
  // The inverse is not exact: 12 x (1/4) must not be below 3.
  return static_cast<int>(std::min(cpu_milli * pods.per_cpu_milli + 1e-9, 1e9));
}

double EvenFill::Sum(GpuTypes type, int64_t cpu_milli,
                     const Counts& counts) const {
  const auto cpu = static_cast<double>(cpu_milli);
  const auto& by_combination = pods_.at(type);
  double sum = 0;
  for (const SamePods& pod : without_gpus_) {
    sum += pod.weight * Times(pod, cpu, 0);
  }
  for (size_t c = 0; c < counts.size(); ++c) {
    const int fit = counts[c] / several_[c];
    if (fit == 0) continue;
    for (const SamePods& pod : by_combination[c]) {
      sum += pod.weight * std::min(fit, Times(pod, cpu, fit));
    }
  }
  return sum;
}

double EvenFill::Of(const FreeNode& node, const Counts& counts) const {
  return Sum(node.type, node.cpu_milli, counts);
}

double EvenFill::After(const FreeNode& node, const Counts& counts,
                       const PodShape& pod, GpuSet gpus) const {
  const int64_t cpu = node.cpu_milli - pod.cpu_milli;
  if (pod.gpus == 0) return Sum(node.type, cpu, counts);
  const int left =
      node.gpu_milli[static_cast<size_t>(std::countr_zero(gpus.bits))];
  const auto& before = OnGpu(left);
  const auto& after = OnGpu(left - pod.gpu_milli);
  Counts changed = counts;
  for (size_t c = 0; c < changed.size(); ++c) {
    changed[c] += pod.gpus * (after[c] - before[c]);
  }
  return Sum(node.type, cpu, changed);
}

}  // namespace mete
