#include "linux/container_groups.h"

#include <string>

#include "linux/cgroup_paths.h"

namespace mete {

// Version 1 has one line for each hierarchy, and a process need not be in the
// same group everywhere: an engine's container says more than a service.
std::optional<ContainerIdentity> ContainerOfProcess(const SystemRoot& root,
                                                    int pid) {
  std::optional<ContainerIdentity> service;
  for (const CgroupMembership& membership :
       ReadCgroupMembership(root, "/proc/" + std::to_string(pid) + "/cgroup")) {
    auto found = IdentifyContainer(membership.group);
    if (!found) continue;
    if (found->runtime != ContainerRuntime::kSystemd) return found;
    if (!service) service = found;
  }
  return service;
}

}  // namespace mete
