// Resource usage of a tree of processes, without a cgroup.
#pragma once

#include <sys/types.h>

#include "linux/system_root.h"
#include "machine/resource_usage.h"

namespace mete {

// Usage of `top` and everything below it: running processes from /proc, ended
// ones from what their parents waited for. Memory shared by several processes
// counts once for each.
ResourceUsage ReadTreeUsage(const SystemRoot& root, pid_t top);
// The same without `top` itself, but with what it waited for.
ResourceUsage ReadUsageBelow(const SystemRoot& root, pid_t top);

}  // namespace mete
