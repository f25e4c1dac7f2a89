// What can be turned on a control group that is there already: its CPU quota,
// its memory limit, and whether it runs at all.
#pragma once

#include <optional>

#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// All fail with kNotFound when the group is no more. Absent: no limit.

// A number of CPUs. The period of the group stays as it is, so that a value
// that was read can be written back exactly.
Result<std::optional<double>> ReadCpuQuota(const SystemRoot& root,
                                           const CgroupFolder& group);
Status WriteCpuQuota(const SystemRoot& root, const CgroupFolder& group,
                     std::optional<double> cpus);

// In bytes. A limit below what the members use and cannot give up is refused
// with kInvalidInput: under version 2 it would end them.
Result<std::optional<double>> ReadMemoryMax(const SystemRoot& root,
                                            const CgroupFolder& group);
Status WriteMemoryMax(const SystemRoot& root, const CgroupFolder& group,
                      std::optional<double> bytes);

// The freezer; true: no member runs.
Result<bool> ReadFrozen(const SystemRoot& root, const CgroupFolder& group);
Status WriteFrozen(const SystemRoot& root, const CgroupFolder& group,
                   bool frozen);

}  // namespace mete
