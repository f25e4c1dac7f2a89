// The containers, services and measured processes of this machine, found in
// the tree of control groups: no engine is asked, and no rights are needed.
#pragma once

#include <optional>

#include "linux/container_identity.h"
#include "linux/system_root.h"

namespace mete {

// The container that a process is in; absent when it is in none, or has ended.
std::optional<ContainerIdentity> ContainerOfProcess(const SystemRoot& root,
                                                    int pid);

}  // namespace mete
