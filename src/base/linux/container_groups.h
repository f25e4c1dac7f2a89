// The containers, services and measured processes of this machine, found in
// the tree of control groups: no engine is asked, and no rights are needed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/cgroup_trees.h"
#include "linux/container_identity.h"
#include "linux/system_root.h"

namespace mete {

// Those that have a group at this moment, in no order. A container is not
// searched for others, so that a walk costs one listing for each folder above
// containers: link counts tell where there is nothing below.
std::vector<ContainerIdentity> FindContainers(const CgroupTrees& trees);

// Where a container has its group in one tree when that is not where it has it
// in the others: "process_api/mete-app-…", from the mount point on.
struct GroupElsewhere {
  CgroupPart part = CgroupPart::kMemory;
  std::string folder;
};
// Under version 1 alone, by the container's first process; none when that is
// where it usually is.
std::vector<GroupElsewhere> FindElsewhere(const SystemRoot& root,
                                          const CgroupTrees& trees,
                                          const ContainerIdentity& container);

// The container that a process is in; absent when it is in none, or has ended.
std::optional<ContainerIdentity> ContainerOfProcess(const SystemRoot& root,
                                                    int pid);

}  // namespace mete
