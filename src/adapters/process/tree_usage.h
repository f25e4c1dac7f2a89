// Resource usage of a tree of processes, without a cgroup.
#pragma once

#include <sys/types.h>

#include "domain/application_details.h"
#include "linux/system_root.h"

namespace mete {

// Usage of everything below `keeper`, without the keeper itself: running
// processes from /proc, ended ones from what their parents or the keeper waited
// for. Memory shared by several processes counts once for each.
ResourceUsage TreeUsage(const SystemRoot& root, pid_t keeper);

}  // namespace mete
