// The local file systems of this machine and their free space.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

// A mounted local file system.
struct FileSystem {
  std::string mount_point;  // "/", "/home"
  std::string type;         // "ext4"; "" when unknown
  std::string device;       // "/dev/sda1", or "overlay" in a container
};

// File systems on disks, plus the root whatever it is. Each disk is listed
// once, at its shortest mount point: containers mount the same one many times.
// Network file systems are omitted, because querying them may hang.
std::vector<FileSystem> FindFileSystems(const SystemRoot& root);

// Size of a file system and the free space in it.
struct FileSystemSpace {
  Bytes size;
  Bytes available;  // to users other than root
};
// Absent when the file system is gone or must not be accessed.
std::optional<FileSystemSpace> ReadSpace(const SystemRoot& root,
                                         const std::string& mount_point);

}  // namespace mete
