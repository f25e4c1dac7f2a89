// Finds running processes and containers, and observes them without owning
// them.
#pragma once

#include "linux/system_root.h"
#include "ports/attach.h"

namespace mete {

// See AttachFunction. Containers are found by their cgroups, so any engine will
// do; names of Docker's containers can only be read by root. The name of a
// systemd service ("nginx.service") works like that of a container.
Result<AttachedService> AttachTo(const AttachTarget& target,
                                 const SystemRoot& root);

}  // namespace mete
