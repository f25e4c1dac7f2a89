// The mount table, as the kernel shows it to this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "linux/system_root.h"

namespace mete {

// One line of /proc/self/mountinfo; see proc(5).
struct MountedFileSystem {
  std::string top;  // the part of the file system that is mounted
  // the mount point, relative to the machine's root
  std::filesystem::path point;
  std::string type;     // "ext4", "cgroup2"
  std::string device;   // "/dev/sda1", "overlay"
  std::string options;  // of the file system, not of the mount
};

// In the order of mounting. In a container that has the machine's files mounted
// at `root`, the kernel also lists the container's own mounts; only those below
// `root` are returned.
std::vector<MountedFileSystem> ReadMounts(const SystemRoot& root);

}  // namespace mete
