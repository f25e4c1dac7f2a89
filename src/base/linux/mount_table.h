// What is mounted where, as the kernel tells this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "linux/system_root.h"

namespace mete {

// One line of /proc/self/mountinfo; proc(5).
struct MountedFileSystem {
  std::string top;  // the part of the file system that is seen at the point
  std::filesystem::path point;  // as the machine names it
  std::string type;             // "ext4", "cgroup2"
  std::string device;           // "/dev/sda1", "overlay"
  std::string options;          // of the file system, not of the mount
};

// In the order of mounting. In a container that has the machine's files below
// `root` the kernel tells the container's own mounts, too: then only those
// below it count.
std::vector<MountedFileSystem> ReadMounts(const SystemRoot& root);

}  // namespace mete
