// Control groups: which version is mounted where, and what this process may
// use in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

// One controller (memory, cpu, pids, …) and this process's own group in it.
struct CgroupController {
  std::string name;
  int version = 2;               // 1: a hierarchy of its own
  std::filesystem::path folder;  // of the own group, as the machine names it
  // Groups can be made below the own one. Under version 2 a group with
  // processes in it must first be emptied before it can pass controllers on.
  bool writable = false;
};

enum class CgroupLayout {
  kNone,
  kV1,      // every controller under version 1
  kV2,      // the unified hierarchy alone
  kHybrid,  // version 1 controllers, and a version 2 tree beside them
};

struct CgroupFacts {
  CgroupLayout layout = CgroupLayout::kNone;
  std::vector<CgroupController> controllers;  // by name

  // Null when the kernel offers no such controller.
  const CgroupController* Find(std::string_view name) const;
};

// Of the calling process, from /proc/self/{mountinfo,cgroup}.
CgroupFacts ReadCgroups(const SystemRoot& root);

// The tightest limit of the own group and those above it that can be seen.
// Absent: none.
std::optional<Millicores> ReadCpuLimit(const SystemRoot& root,
                                       const CgroupFacts& cgroups);
std::optional<Bytes> ReadMemoryLimit(const SystemRoot& root,
                                     const CgroupFacts& cgroups);

}  // namespace mete
