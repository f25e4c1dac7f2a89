#include "linux/file_systems.h"

#include <sys/statvfs.h>

#include <algorithm>

#include "linux/mount_table.h"

namespace mete {
namespace {

// True for disks, and for the root whatever it is.
bool IsRelevant(const MountedFileSystem& mounted) {
  if (mounted.device.starts_with("/dev/loop")) return false;
  return mounted.point == "/" || mounted.device.starts_with("/dev/");
}

}  // namespace

std::vector<FileSystem> FindFileSystems(const SystemRoot& root) {
  std::vector<FileSystem> found;
  for (const MountedFileSystem& mounted : ReadMounts(root)) {
    if (!IsRelevant(mounted)) continue;
    FileSystem one{.mount_point = mounted.point.string(),
                   .type = mounted.type,
                   .device = mounted.device};
    // A later mount hides an earlier one at the same point.
    std::erase_if(found, [&](const FileSystem& other) {
      return other.mount_point == one.mount_point;
    });
    auto same = std::ranges::find(found, one.device, &FileSystem::device);
    if (same == found.end()) {
      found.push_back(std::move(one));
    } else if (one.mount_point.size() < same->mount_point.size()) {
      *same = std::move(one);
    }
  }
  // Inside chroot(2) the mount table does not list the root.
  const bool rooted =
      std::ranges::count(found, "/", &FileSystem::mount_point) > 0;
  if (!rooted) found.insert(found.begin(), FileSystem{.mount_point = "/"});
  return found;
}

std::optional<FileSystemSpace> ReadSpace(const SystemRoot& root,
                                         const std::string& mount_point) {
  struct statvfs stats {};
  if (statvfs(root.Locate(mount_point).c_str(), &stats) != 0) {
    return std::nullopt;
  }
  return FileSystemSpace{.size = Bytes{stats.f_blocks * stats.f_frsize},
                         .available = Bytes{stats.f_bavail * stats.f_frsize}};
}

}  // namespace mete
