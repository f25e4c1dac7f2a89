// Which cgroup versions are mounted where, and what this process may do in
// them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

// One controller (memory, cpu, pids, …) and this process's own cgroup in it.
struct CgroupController {
  std::string name;
  int version = 2;               // 1: has its own hierarchy
  std::filesystem::path folder;  // the process's own cgroup
  // True if child cgroups can be created. Under cgroup v2, a cgroup that
  // contains processes must be emptied before its children can get controllers.
  bool writable = false;
};

// Which cgroup versions manage the controllers of this machine.
enum class CgroupLayout {
  kNone,
  kV1,      // every controller is cgroup v1
  kV2,      // only the unified hierarchy
  kHybrid,  // cgroup v1 controllers next to a cgroup v2 tree
};

// The cgroup setup of this machine as seen by one process.
struct CgroupFacts {
  CgroupLayout layout = CgroupLayout::kNone;
  std::vector<CgroupController> controllers;  // by name

  // Null when the kernel does not offer the controller.
  const CgroupController* Find(std::string_view name) const;
};

// For the calling process, from /proc/self/{mountinfo,cgroup}.
CgroupFacts ReadCgroups(const SystemRoot& root);

// The tightest limit of the process's own cgroup and all visible ancestors.
// Absent when none is set.
std::optional<Millicores> ReadCpuLimit(const SystemRoot& root,
                                       const CgroupFacts& cgroups);
std::optional<Bytes> ReadMemoryLimit(const SystemRoot& root,
                                     const CgroupFacts& cgroups);

}  // namespace mete
