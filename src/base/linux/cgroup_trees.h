// The mounted trees of control groups, opened once for the reading of many
// groups.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "linux/cgroup_files.h"
#include "linux/system_root.h"
#include "support/descriptor.h"

namespace mete {

struct CgroupTree {
  int version = 2;
  // What stands before the names of groups in it: "" where the whole tree is
  // mounted, "/docker/5a2b…" in a container that sees its own part alone.
  std::string top;
  Descriptor folder;  // the mount point

  // The path of a group from the mount point on: "docker/5a2b…".
  std::string Below(std::string_view group) const;
};

// The controller of version 1 that makes a part's files; "" for pressure.
const char* OldControllerOf(CgroupPart part);

// As they were mounted when it was made. Safe to read from any thread.
class CgroupTrees {
 public:
  explicit CgroupTrees(const SystemRoot& root);

  // Null when no tree has that part.
  const CgroupTree* Of(CgroupPart part) const {
    return parts_[static_cast<size_t>(part)];
  }
  // The one in which every container has a group; null without any.
  const CgroupTree* Main() const;

 private:
  std::vector<CgroupTree> trees_;
  std::array<const CgroupTree*, kCgroupParts> parts_{};
};

}  // namespace mete
