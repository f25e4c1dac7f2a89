#include "linux/cgroup_paths.h"

#include <algorithm>

#include "linux/mount_table.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

// "rw,xattr,name=systemd" has no controller; "rw,cpu,cpuacct" has two.
std::vector<std::string> ControllersV1(const std::string& super_options) {
  std::vector<std::string> controllers;
  for (const std::string& option : SplitAt(super_options, ',')) {
    if (option == "rw" || option == "ro" || option == "xattr") continue;
    if (option.find('=') != std::string::npos) continue;
    controllers.push_back(option);
  }
  return controllers;
}

std::vector<std::string> ControllersV2(const SystemRoot& root,
                                       const path& point) {
  auto line = root.Line(point / "cgroup.controllers");
  return line ? SplitAt(*line, ' ') : std::vector<std::string>();
}

// The cgroup v1 folder of a controller, or else the unified one.
std::optional<CgroupFolder> FolderFor(
    const std::string& controller, const std::vector<CgroupMount>& mounts,
    const std::vector<CgroupMembership>& memberships,
    const std::optional<path>& unified) {
  for (const CgroupMembership& membership : memberships) {
    if (!HasItem(membership.controllers, controller)) continue;
    for (const CgroupMount& mount : mounts) {
      if (mount.version != 1 || !HasItem(mount.controllers, controller)) {
        continue;
      }
      auto folder = FolderIn(mount, membership.group);
      if (folder) return CgroupFolder{1, *folder};
    }
    return std::nullopt;
  }
  if (!unified) return std::nullopt;
  return CgroupFolder{2, *unified};
}

std::optional<path> UnifiedFolder(
    const std::vector<CgroupMount>& mounts,
    const std::vector<CgroupMembership>& memberships) {
  const bool hybrid =
      std::any_of(mounts.begin(), mounts.end(),
                  [](const CgroupMount& mount) { return mount.version == 1; });
  for (const CgroupMembership& membership : memberships) {
    if (!membership.unified) continue;
    if (hybrid && membership.group == "/") continue;
    for (const CgroupMount& mount : mounts) {
      if (mount.version != 2) continue;
      if (auto folder = FolderIn(mount, membership.group)) return folder;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<CgroupMount> FindCgroupMounts(const SystemRoot& root) {
  std::vector<CgroupMount> mounts;
  for (const MountedFileSystem& one : ReadMounts(root)) {
    if (one.type != "cgroup" && one.type != "cgroup2") continue;
    const int version = one.type == "cgroup" ? 1 : 2;
    mounts.push_back({.version = version,
                      .top = one.top,
                      .point = one.point,
                      .controllers = version == 1
                                         ? ControllersV1(one.options)
                                         : ControllersV2(root, one.point)});
  }
  return mounts;
}

std::optional<path> FolderIn(const CgroupMount& mount,
                             const std::string& group) {
  if (group.compare(0, 4, "/../") == 0 || group == "/..") return std::nullopt;
  if (mount.top == "/") return mount.point / path(group).relative_path();
  if (group == mount.top) return mount.point;
  if (group.compare(0, mount.top.size() + 1, mount.top + "/") == 0) {
    return mount.point / group.substr(mount.top.size() + 1);
  }
  // Inside a container the path is relative to the container's root cgroup,
  // while the mount still names the host's.
  return mount.point / path(group).relative_path();
}

std::vector<CgroupMembership> ReadCgroupMembership(const SystemRoot& root,
                                                   const path& file) {
  std::vector<CgroupMembership> memberships;
  auto text = root.Text(file);
  if (!text.ok()) return memberships;
  for (const std::string& line : SplitLines(*text)) {
    // "4:cpu,cpuacct:/own/path", "0::/own/path"; the path may contain colons.
    const size_t first = line.find(':');
    if (first == std::string::npos) continue;
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    CgroupMembership membership{.unified = line.compare(0, 3, "0::") == 0,
                                .group = line.substr(second + 1)};
    for (const std::string& name : SplitAt(names, ',')) {
      // "name=systemd" tracks processes and has no controller.
      if (name.empty() || name.find('=') != std::string::npos) continue;
      membership.controllers.push_back(name);
    }
    memberships.push_back(membership);
  }
  return memberships;
}

CgroupPaths FindCgroupPaths(const SystemRoot& root, int pid) {
  const auto mounts = FindCgroupMounts(root);
  const auto memberships = ReadCgroupMembership(
      root, path("/proc") / std::to_string(pid) / "cgroup");
  CgroupPaths paths{.unified = UnifiedFolder(mounts, memberships)};
  const auto find = [&](const std::string& controller) {
    return FolderFor(controller, mounts, memberships, paths.unified);
  };
  paths.memory = find("memory");
  paths.cpu = find("cpu");
  paths.cpuacct = find("cpuacct");
  paths.cpuset = find("cpuset");
  paths.pids = find("pids");
  paths.blkio = find("blkio");
  return paths;
}

}  // namespace mete
