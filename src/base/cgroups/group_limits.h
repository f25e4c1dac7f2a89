// Limits written into the files of a control group.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "machine/limits.h"
#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// Of CPU quotas, unless another is asked for: the kernel's own default.
inline constexpr std::chrono::microseconds kDefaultQuotaPeriod{100'000};
// The kernel refuses to give a group less than this in a period.
inline constexpr std::chrono::microseconds kShortestQuota{1'000};

// Applies every limit whose controller is among `group`. What cannot be applied
// for want of one is told in `notes`. Fails with kUnsupported when the kernel
// refuses a value.
Status ApplyLimits(const SystemRoot& root, const CgroupPaths& group,
                   const Limits& limits, std::vector<std::string>& notes,
                   std::chrono::microseconds period = kDefaultQuotaPeriod);

// Takes the limit of CPU time back.
Status RemoveCpuLimit(const SystemRoot& root, const CgroupPaths& group);

// How much of a busy core the group gets before its siblings, which have 1.
// Without the controller nothing happens.
Status ApplyWeight(const SystemRoot& root, const CgroupPaths& group,
                   int weight);

}  // namespace mete
