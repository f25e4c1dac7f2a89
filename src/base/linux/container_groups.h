// Finds the containers, services and measured processes of this machine in the
// cgroup tree. Needs no access to a container engine and no privileges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/cgroup_trees.h"
#include "linux/container_identity.h"
#include "linux/system_root.h"

namespace mete {

// All that have a cgroup right now, in no particular order. Does not search
// inside containers, so the walk costs one listing for each folder above them;
// link counts show which folders have no children.
std::vector<ContainerIdentity> FindContainers(const CgroupTrees& trees);

// The folder of a container's cgroup in one tree if it differs from that in the
// others: "process_api/mete-app-…", relative to the mount point.
struct GroupElsewhere {
  CgroupPart part = CgroupPart::kMemory;
  std::string folder;
};
// Looked up by the container's first process; only needed under cgroup v1.
// Empty when all folders are the usual ones.
std::vector<GroupElsewhere> FindElsewhere(const SystemRoot& root,
                                          const CgroupTrees& trees,
                                          const ContainerIdentity& container);

// The container of a process. Absent when it is in none or has ended.
std::optional<ContainerIdentity> ContainerOfProcess(const SystemRoot& root,
                                                    int pid);

}  // namespace mete
