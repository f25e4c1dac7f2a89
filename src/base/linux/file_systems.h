// The file systems on this machine's own disks, and how full they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

struct FileSystem {
  std::string mount_point;  // "/", "/home"
  std::string type;         // "ext4"; "" when it is not told
  std::string device;       // "/dev/sda1", or "overlay" of a container's root
};

// What is mounted from a disk, and the root whatever it is. Each disk once, at
// its shortest mount point: containers mount the same one many times. File
// systems of other machines are left out: asking those may hang.
std::vector<FileSystem> FindFileSystems(const SystemRoot& root);

struct FileSystemSpace {
  Bytes size;
  Bytes available;  // to users that are not root
};
// Absent when it is gone or may not be looked at.
std::optional<FileSystemSpace> ReadSpace(const SystemRoot& root,
                                         const std::string& mount_point);

}  // namespace mete
