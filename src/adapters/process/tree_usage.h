// What a tree of processes took, without a control group to ask.
#pragma once

#include <sys/types.h>

#include "domain/application_details.h"
#include "linux/system_root.h"

namespace mete {

// Of everything below `keeper`, the keeper itself left out: the living by
// /proc, the ended by what their parents or the keeper waited for. Memory that
// several processes share counts once for each.
ResourceUsage TreeUsage(const SystemRoot& root, pid_t keeper);

}  // namespace mete
