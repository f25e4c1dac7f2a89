// The mounted cgroup trees, opened once to read many cgroups.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "linux/cgroup_files.h"
#include "linux/system_root.h"
#include "support/descriptor.h"

namespace mete {

// One mounted cgroup tree.
struct CgroupTree {
  int version = 2;
  // Prefix of all cgroup names in this tree: "" where the whole tree is
  // mounted, "/docker/5a2b…" in a container that sees only its own part.
  std::string top;
  Descriptor folder;  // the mount point

  // The path of a cgroup relative to the mount point: "docker/5a2b…".
  std::string Below(std::string_view group) const;
};

// The cgroup v1 controller that creates the files of a part; "" for pressure.
const char* V1ControllerFor(CgroupPart part);

// The trees that were mounted when this object was created. Thread-safe.
class CgroupTrees {
 public:
  explicit CgroupTrees(const SystemRoot& root);

  // Null when no tree has this part.
  const CgroupTree* Of(CgroupPart part) const {
    return parts_[static_cast<size_t>(part)];
  }
  // The tree in which every container has a cgroup; null when there is none.
  const CgroupTree* Main() const;

 private:
  std::vector<CgroupTree> trees_;
  std::array<const CgroupTree*, kCgroupParts> parts_{};
};

}  // namespace mete
