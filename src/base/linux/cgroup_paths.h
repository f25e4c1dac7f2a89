// Where control groups lie: which hierarchies are mounted, and the folder of a
// process's group under each controller.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"

namespace mete {

// One mounted hierarchy.
struct CgroupMount {
  int version = 1;
  std::string top;  // the group that is visible at the mount point
  std::filesystem::path point;
  // Those that can be used in it. Often none under version 2 on a host whose
  // controllers are all taken by version 1.
  std::vector<std::string> controllers;
};

// From /proc/self/mountinfo, in its order; both versions.
std::vector<CgroupMount> FindCgroupMounts(const SystemRoot& root);

// The folder of `group` in a mount; absent when it lies outside of what is
// mounted.
std::optional<std::filesystem::path> FolderIn(const CgroupMount& mount,
                                              const std::string& group);

// One line of /proc/PID/cgroup: a process's group in one hierarchy.
struct CgroupMembership {
  bool unified = false;                  // the version 2 hierarchy
  std::vector<std::string> controllers;  // of version 1; may be none
  std::string group;                     // "/user.slice/session-1.scope"
};
std::vector<CgroupMembership> ReadCgroupMembership(
    const SystemRoot& root, const std::filesystem::path& file);

// A group's folder under one controller. The version decides the names and
// the units of the files in it.
struct CgroupFolder {
  int version = 2;
  std::filesystem::path folder;  // absolute, as the machine names it
};

// The folders of one group. Under version 1 each controller has its own; under
// version 2 all are the same. Fill it by hand for a group that was just made.
struct CgroupPaths {
  std::optional<CgroupFolder> memory;
  std::optional<CgroupFolder> cpu;      // limits and throttling
  std::optional<CgroupFolder> cpuacct;  // time used
  std::optional<CgroupFolder> cpuset;
  std::optional<CgroupFolder> pids;
  std::optional<CgroupFolder> blkio;  // "io" under version 2
  // The version 2 group, which alone knows pressure. On a hybrid host it is
  // left out when it is the top group: that speaks for the whole machine.
  std::optional<std::filesystem::path> unified;
};

// Every member is absent once the process has ended.
CgroupPaths FindCgroupPaths(const SystemRoot& root, int pid);

}  // namespace mete
