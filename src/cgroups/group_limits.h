// Limits written into the files of a control group.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "domain/run.h"
#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// Applies every limit whose controller is among `group`. What cannot be applied
// for want of one is told in `notes`. Fails with kUnsupported when the kernel
// refuses a value.
Status ApplyLimits(const SystemRoot& root, const CgroupPaths& group,
                   const Limits& limits, std::vector<std::string>& notes);

}  // namespace mete
