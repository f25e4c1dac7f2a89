// Locates cgroups: which hierarchies are mounted, and the folder of a process's
// cgroup under each controller.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"

namespace mete {

// One mounted cgroup hierarchy.
struct CgroupMount {
  int version = 1;
  std::string top;  // the cgroup that is visible at the mount point
  std::filesystem::path point;
  // The controllers this hierarchy offers. Often none under cgroup v2 on a host
  // where cgroup v1 has taken all of them.
  std::vector<std::string> controllers;
};

// From /proc/self/mountinfo, in its order; cgroup v1 and v2.
std::vector<CgroupMount> FindCgroupMounts(const SystemRoot& root);

// The folder of `group` in a mount; absent when the mount does not show it.
std::optional<std::filesystem::path> FolderIn(const CgroupMount& mount,
                                              const std::string& group);

// One line of /proc/PID/cgroup: the cgroup of a process in one hierarchy.
struct CgroupMembership {
  bool unified = false;                  // the cgroup v2 hierarchy
  std::vector<std::string> controllers;  // cgroup v1 only; may be empty
  std::string group;                     // "/user.slice/session-1.scope"
};
std::vector<CgroupMembership> ReadCgroupMembership(
    const SystemRoot& root, const std::filesystem::path& file);

// The folder of a cgroup under one controller. The version decides the names
// and units of the files in it.
struct CgroupFolder {
  int version = 2;
  std::filesystem::path folder;  // absolute, as the machine names it
};

// The folders of one cgroup. Under cgroup v1 each controller has its own
// folder; under cgroup v2 they are all the same. For a cgroup that was just
// created, fill in the members directly.
struct CgroupPaths {
  std::optional<CgroupFolder> memory;
  std::optional<CgroupFolder> cpu;      // limits and throttling
  std::optional<CgroupFolder> cpuacct;  // time used
  std::optional<CgroupFolder> cpuset;
  std::optional<CgroupFolder> pids;
  std::optional<CgroupFolder> blkio;  // "io" under cgroup v2
  // The cgroup v2 folder; only cgroup v2 has pressure files. On a hybrid host
  // it is absent if it is the root cgroup, whose pressure is that of the whole
  // machine.
  std::optional<std::filesystem::path> unified;
};

// Every member is absent once the process has ended.
CgroupPaths FindCgroupPaths(const SystemRoot& root, int pid);

}  // namespace mete
