// Writes limits into the files of a cgroup.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "machine/limits.h"
#include "support/result.h"

namespace mete {

// Default period of CPU quotas; the same as the kernel's.
inline constexpr std::chrono::microseconds kDefaultQuotaPeriod{100'000};
// The kernel rejects a smaller quota per period.
inline constexpr std::chrono::microseconds kShortestQuota{1'000};

// Applies every limit whose controller is in `group`. `report` gets the limits
// that could not be applied for lack of a controller. Fails with kUnsupported
// when the kernel rejects a value.
Status ApplyLimits(const SystemRoot& root, const CgroupPaths& group,
                   const Limits& limits, LimitReport& report,
                   std::chrono::microseconds period = kDefaultQuotaPeriod);

// Removes the CPU time limit.
Status RemoveCpuLimit(const SystemRoot& root, const CgroupPaths& group);

// Sets the cgroup's CPU share relative to its siblings, which have 1. Does
// nothing without the controller.
Status ApplyWeight(const SystemRoot& root, const CgroupPaths& group,
                   int weight);

}  // namespace mete
