// What NeuRO's network is trained with: targets beside contexts, merged
// targets and absent ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contention/deepsets_network.h"
#include "contention/measured_mixes.h"

namespace mete {

// A target, the other deployments by application, and what was measured.
struct DeepSetsPoint {
  DeepSetsElement target;
  std::vector<DeepSetsElement> context;
  std::array<double, kDeepSetsOutputs> times{};  // seconds; 0: not placed here
  // CPU use, cache misses and page faults per second. Absent: not counted.
  std::array<std::optional<double>, kDeepSetsCounters> counters{};
};

// How to make the points.
struct DeepSetsPointsRequest {
  std::vector<std::string> applications;  // sorted
  TimeKind kind = TimeKind::kService;
  // Adds points of deployments with hardly an instance and no time, as NeuRO
  // does for its optimiser.
  bool absent_targets = true;
  uint64_t seed = 1;
};

// One point for every non-empty subset of the tenants of an application in a
// mix: instances summed, rates, times and counters averaged. Others are the
// context, by application: instances summed, rates averaged. Mixes without a
// context are left out, as in NeuRO, and so are tenants without an answer.
std::vector<DeepSetsPoint> MakeDeepSetsPoints(
    std::span<const MeasuredMix> mixes, const DeepSetsPointsRequest& request);

// The others of a tenant, by application.
std::vector<DeepSetsElement> ContextOf(
    std::span<const Tenant> tenants, size_t target,
    std::span<const std::string> applications);

// The largest value of each output of each application; 1 without points.
std::vector<std::array<double, kDeepSetsOutputs>> LargestTimes(
    std::span<const DeepSetsPoint> points, size_t applications);
// The largest value of each counter; 1 where none was counted.
std::array<double, kDeepSetsCounters> LargestCounters(
    std::span<const DeepSetsPoint> points);

}  // namespace mete
