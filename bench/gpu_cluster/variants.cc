#include "bench/gpu_cluster/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "support/random.h"

namespace mete::bench {
namespace {

using Weight = std::function<double(const PodShape&)>;
using Category = std::function<bool(const PodShape&)>;

// As many pods, drawn with these weights.
GpuTrace DrawAgain(const GpuTrace& trace, const Weight& weight, uint64_t seed) {
  std::vector<double> sums;
  double sum = 0;
  for (const PodShape& pod : trace.pods) {
    sum += weight(pod);
    sums.push_back(sum);
  }
  Random random(seed);
  GpuTrace drawn = trace;
  for (PodShape& pod : drawn.pods) {
    const auto at =
        std::upper_bound(sums.begin(), sums.end(), random.Uniform() * sum);
    pod = trace.pods[static_cast<size_t>(at - sums.begin())];
  }
  return drawn;
}

// Pods of the category require this share of all GPUs.
Weight DemandShare(const GpuTrace& trace, const Category& category,
                   double share) {
  double inside = 0;
  double outside = 0;
  for (const PodShape& pod : trace.pods) {
    (category(pod) ? inside : outside) += pod.TotalGpuMilli();
  }
  const double all = inside + outside;
  return [=](const PodShape& pod) {
    if (pod.gpus == 0) return 1.0;
    return category(pod) ? share * all / inside : (1 - share) * all / outside;
  };
}

// The type of a GPU drawn at random, from nodes that can host the pod.
GpuTypes DrawType(const GpuTrace& trace, const PodShape& pod, Random& random) {
  for (;;) {
    const FreeNode& node = trace.nodes[random.Below(trace.nodes.size())];
    // Nodes with more GPUs are drawn more often.
    if (static_cast<int>(random.Below(kMostGpus)) < node.gpus &&
        Fits(node, pod)) {
      return node.type;
    }
  }
}

// This share of the pods with GPUs runs on one type of GPU, or on two.
GpuTrace WithTypes(const GpuTrace& trace, double share) {
  Random random(15);
  GpuTrace typed = trace;
  for (PodShape& pod : typed.pods) {
    if (pod.gpus == 0 || random.Uniform() >= share) continue;
    pod.types = DrawType(trace, pod, random);
    if (random.Uniform() < 0.3) pod.types |= DrawType(trace, pod, random);
  }
  return typed;
}

}  // namespace

std::vector<TraceVariant> MakeVariants(const GpuTrace& trace) {
  std::vector<TraceVariant> variants;
  const Category shared = [](const PodShape& pod) { return pod.shares(); };
  const Category several = [](const PodShape& pod) { return pod.gpus > 1; };
  for (const double share : {0.0, 0.4, 0.6, 0.8, 1.0}) {
    variants.push_back(
        {fmt::format("{:.0f} % of demand shares GPUs", 100 * share),
         DrawAgain(trace, DemandShare(trace, shared, share), 11)});
  }
  for (const double share : {0.2, 0.3, 0.5}) {
    variants.push_back(
        {fmt::format("{:.0f} % for several GPUs", 100 * share),
         DrawAgain(trace, DemandShare(trace, several, share), 13)});
  }
  for (const double factor : {0.5, 1.5, 2.0, 2.5}) {
    const Weight more = [=](const PodShape& pod) {
      return pod.gpus == 0 ? factor : 1;
    };
    variants.push_back({fmt::format("{} x pods without GPUs", factor),
                        DrawAgain(trace, more, 14)});
  }
  for (const double share : {0.1, 0.33, 1.0}) {
    variants.push_back({fmt::format("{:.0f} % bound to types", 100 * share),
                        WithTypes(trace, share)});
  }
  GpuTrace less_cpu = trace;
  for (FreeNode& node : less_cpu.nodes) {
    node.cpu_milli = node.cpu_milli * 8 / 10;
  }
  variants.push_back({"nodes with 0.8 x CPU", std::move(less_cpu)});
  GpuTrace more_memory = trace;
  for (PodShape& pod : more_memory.pods) {
    if (pod.gpus > 0) pod.memory_mib *= 2;
  }
  variants.push_back({"pods with 2 x memory", std::move(more_memory)});
  return variants;
}

}  // namespace mete::bench
