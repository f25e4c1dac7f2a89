// Controls of an existing cgroup: CPU quota, memory limit, freezer.
#pragma once

#include <optional>

#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// All functions fail with kNotFound when the cgroup is gone. Absent: no limit.

// In CPUs. The period of the cgroup is not changed, so a value that was read
// can be restored exactly.
Result<std::optional<double>> ReadCpuQuota(const SystemRoot& root,
                                           const CgroupFolder& group);
Status WriteCpuQuota(const SystemRoot& root, const CgroupFolder& group,
                     std::optional<double> cpus);

// In bytes. Writing fails with kInvalidInput when the limit is below what the
// members use and cannot release: under cgroup v2 it would kill them.
Result<std::optional<double>> ReadMemoryMax(const SystemRoot& root,
                                            const CgroupFolder& group);
Status WriteMemoryMax(const SystemRoot& root, const CgroupFolder& group,
                      std::optional<double> bytes);

// The freezer. True means that no member runs.
Result<bool> ReadFrozen(const SystemRoot& root, const CgroupFolder& group);
Status WriteFrozen(const SystemRoot& root, const CgroupFolder& group,
                   bool frozen);

}  // namespace mete
