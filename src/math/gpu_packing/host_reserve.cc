#include "gpu_packing/host_reserve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace mete {
namespace {

constexpr size_t kMostGuests = 64;

// Whether a host of the guest is needed by the pod, too: it is as large.
bool AsLarge(const PodShape& pod, const PodShape& guest) {
  return pod.gpus >= guest.gpus && pod.cpu_milli >= guest.cpu_milli &&
         pod.memory_mib >= guest.memory_mib &&
         (guest.types == 0 ||
          (pod.types != 0 && (pod.types & ~guest.types) == 0));
}

uint64_t Bit(size_t guest) { return uint64_t{1} << guest; }

}  // namespace

HostReserve::HostReserve(std::span<const PodShare> mix,
                         std::span<const FreeNode> empty,
                         std::span<const FreeNode> nodes, ReserveRule rule)
    : rule_(rule) {
  std::vector<PodShare> large;
  double mean = 0;
  for (const PodShare& pod : mix) {
    mean += pod.share * pod.shape.TotalGpuMilli();
    if (pod.shape.gpus > 1) large.push_back(pod);
  }
  if (mean > 0) mean_gpu_milli_ = mean;
  std::ranges::stable_sort(large, std::greater(), &PodShare::share);
  if (large.size() > kMostGuests) large.resize(kMostGuests);
  for (const PodShare& guest : large) {
    double share = 0;
    for (const PodShare& pod : mix) {
      if (AsLarge(pod.shape, guest.shape)) share += pod.share;
    }
    guests_.push_back({.shape = guest.shape, .share = share});
  }
  if (rule.sample) AssumeLargePods(empty);
  for (const FreeNode& node : nodes) {
    free_gpu_milli_ += node.FreeGpuMilli();
    const uint64_t hosts = Hosts(node);
    hosts_.push_back(hosts);
    for (size_t g = 0; g < guests_.size(); ++g) {
      if ((hosts & Bit(g)) != 0) ++guests_[g].hosts;
    }
  }
}

// A pod that needs a whole node of the largest kind may come although none was
// seen yet. By the rule of succession, one unseen pod of each size is assumed.
void HostReserve::AssumeLargePods(std::span<const FreeNode> empty) {
  const double share = 1 / (*rule_.sample + 1);
  int most_gpus = 2;
  for (const FreeNode& node : empty) most_gpus = std::max(most_gpus, node.gpus);
  std::set<std::pair<int64_t, int64_t>, std::greater<>> sizes;
  for (const FreeNode& node : empty) {
    if (node.gpus == most_gpus) sizes.insert({node.cpu_milli, node.memory_mib});
  }
  for (const auto& [cpu_milli, memory_mib] : sizes) {
    if (guests_.size() == kMostGuests) return;
    guests_.push_back({.shape = {.cpu_milli = cpu_milli,
                                 .memory_mib = memory_mib,
                                 .gpus = most_gpus,
                                 .gpu_milli = kWholeGpu},
                       .share = share});
  }
}

uint64_t HostReserve::Hosts(const FreeNode& node) const {
  uint64_t hosts = 0;
  for (size_t g = 0; g < guests_.size(); ++g) {
    if (Fits(node, guests_[g].shape)) hosts |= Bit(g);
  }
  return hosts;
}

double HostReserve::MostArrivals(const Guest& guest) const {
  const double expected = free_gpu_milli_ / mean_gpu_milli_ * guest.share;
  double variance = expected;
  if (rule_.sample)
    variance += expected * expected / (guest.share * *rule_.sample);
  return expected + rule_.deviations * std::sqrt(variance);
}

uint64_t HostReserve::Scarce(const PodShape& pod) const {
  uint64_t scarce = 0;
  for (size_t g = 0; g < guests_.size(); ++g) {
    const Guest& guest = guests_[g];
    if (pod.gpus >= guest.shape.gpus) continue;
    if (guest.hosts <= MostArrivals(guest)) scarce |= Bit(g);
  }
  return scarce;
}

bool HostReserve::Breaks(uint64_t scarce, std::span<const FreeNode> nodes,
                         size_t node, const PodShape& pod, GpuSet gpus) const {
  const uint64_t hosted = hosts_[node] & scarce;
  if (hosted == 0) return false;
  const FreeNode after = After(nodes[node], pod, gpus);
  for (size_t g = 0; g < guests_.size(); ++g) {
    if ((hosted & Bit(g)) != 0 && !Fits(after, guests_[g].shape)) return true;
  }
  return false;
}

void HostReserve::Place(std::span<const FreeNode> nodes, size_t node,
                        const PodShape& pod, GpuSet gpus) {
  free_gpu_milli_ -= pod.TotalGpuMilli();
  if (hosts_[node] == 0) return;
  const uint64_t hosts = Hosts(After(nodes[node], pod, gpus));
  for (size_t g = 0; g < guests_.size(); ++g) {
    if ((hosts_[node] & ~hosts & Bit(g)) != 0) --guests_[g].hosts;
  }
  hosts_[node] = hosts;
}

}  // namespace mete
