#include "linux/container_groups.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "linux/cgroup_paths.h"
#include "linux/numbers.h"
#include "support/file.h"

namespace mete {
namespace {

// Trees are a few levels deep. A deeper one, or one with very many folders
// without a container, must not keep the walk busy.
constexpr size_t kLongestPath = 1024;
constexpr size_t kMostListed = 20000;

struct FolderCloser {
  void operator()(DIR* folder) const { closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, FolderCloser>;

OpenFolder OpenIn(const CgroupTree& tree, const std::string& below) {
  int number = openat(tree.folder.number(), below.c_str(),
                      O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (number < 0) return nullptr;
  OpenFolder folder(fdopendir(number));
  if (folder == nullptr) close(number);
  return folder;
}

// True if the entry `name` of `in` has child cgroups. cgroups count their
// children as links, and change that count, but not the folder's time, when one
// is created or removed.
bool HasFolders(const DIR* in, const dirent& entry) {
  constexpr nlink_t kNoFolders = 2;
  struct stat found {};
  return fstatat(dirfd(const_cast<DIR*>(in)), entry.d_name, &found,
                 AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(found.st_mode) && found.st_nlink != kNoFolders;
}

bool IsFolder(const dirent& entry) {
  std::string_view name = entry.d_name;
  return (entry.d_type == DT_DIR || entry.d_type == DT_UNKNOWN) &&
         name != "." && name != "..";
}

// Absent when the cgroup has no process.
std::optional<uint64_t> FirstProcess(const CgroupTree& tree,
                                     const std::string& below) {
  std::string file = below + "/cgroup.procs";
  Descriptor opened(
      openat(tree.folder.number(), file.c_str(), O_RDONLY | O_CLOEXEC));
  char text[32];
  if (!opened.open()) return std::nullopt;
  ssize_t got = read(opened.number(), text, sizeof text);
  if (got <= 0) return std::nullopt;
  return FirstNumber({text, static_cast<size_t>(got)});
}

bool Exists(const CgroupTree& tree, const std::string& below) {
  struct stat found {};
  return fstatat(tree.folder.number(), below.c_str(), &found, 0) == 0;
}

// The cgroup of a process under one v1 controller; "" when it is not called
// `name`.
std::string GroupUnder(const std::vector<CgroupMembership>& memberships,
                       const char* controller, std::string_view name) {
  for (const CgroupMembership& membership : memberships) {
    if (std::ranges::count(membership.controllers, controller) == 0) continue;
    std::string_view group = membership.group;
    if (group.substr(group.rfind('/') + 1) == name) return membership.group;
  }
  return "";
}

}  // namespace

std::vector<ContainerIdentity> FindContainers(const CgroupTrees& trees) {
  std::vector<ContainerIdentity> found;
  const CgroupTree* tree = trees.Main();
  if (tree == nullptr) return found;
  // We are inside a container that sees only itself.
  if (auto own = IdentifyContainer(tree->top)) {
    own->group = tree->top;
    return {*std::move(own)};
  }
  std::vector<std::string> open_groups{tree->top};
  for (size_t listed = 0; !open_groups.empty() && listed < kMostListed;
       ++listed) {
    const std::string group = std::move(open_groups.back());
    open_groups.pop_back();
    OpenFolder folder = OpenIn(*tree, tree->Below(group));
    if (folder == nullptr || group.size() > kLongestPath) continue;
    while (const dirent* entry = readdir(folder.get())) {
      if (!IsFolder(*entry)) continue;
      std::string below = group + "/" + entry->d_name;
      if (auto container = IdentifyContainer(below)) {
        found.push_back(*std::move(container));
      } else if (HasFolders(folder.get(), *entry)) {
        open_groups.push_back(std::move(below));
      }
    }
  }
  return found;
}

std::vector<GroupElsewhere> FindElsewhere(const SystemRoot& root,
                                          const CgroupTrees& trees,
                                          const ContainerIdentity& container) {
  std::vector<GroupElsewhere> elsewhere;
  const CgroupTree* main = trees.Main();
  if (main == nullptr || main->version != 1) return elsewhere;
  const std::string usual = main->Below(container.group);
  const std::string_view name =
      std::string_view(container.group).substr(container.group.rfind('/') + 1);
  std::optional<std::vector<CgroupMembership>> memberships;
  for (size_t i = 0; i < kCgroupParts; ++i) {
    const auto part = static_cast<CgroupPart>(i);
    const CgroupTree* tree = trees.Of(part);
    if (tree == nullptr || tree->version != 1 || Exists(*tree, usual)) continue;
    if (!memberships) {
      auto pid = FirstProcess(*main, usual);
      if (!pid) break;
      memberships = ReadCgroupMembership(
          root, "/proc/" + std::to_string(*pid) + "/cgroup");
    }
    std::string group = GroupUnder(*memberships, V1ControllerFor(part), name);
    if (!group.empty()) elsewhere.push_back({part, tree->Below(group)});
  }
  return elsewhere;
}

// cgroup v1 has one line per hierarchy, and a process need not be in the same
// cgroup in all of them. Prefer a container to a service.
std::optional<ContainerIdentity> ContainerOfProcess(const SystemRoot& root,
                                                    int pid) {
  std::optional<ContainerIdentity> service;
  for (const CgroupMembership& membership :
       ReadCgroupMembership(root, "/proc/" + std::to_string(pid) + "/cgroup")) {
    auto found = IdentifyContainer(membership.group);
    if (!found) continue;
    if (found->runtime != ContainerRuntime::kSystemd) return found;
    if (!service) service = found;
  }
  return service;
}

}  // namespace mete
