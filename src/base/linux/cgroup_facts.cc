#include "linux/cgroup_facts.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "linux/cgroup_limits.h"
#include "linux/cgroup_paths.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

// Adds the controllers of the cgroup v1 hierarchies that the process is in.
void AddV1(const SystemRoot& root, const std::vector<CgroupMount>& mounts,
           const CgroupMembership& membership, CgroupFacts& facts) {
  for (const std::string& name : membership.controllers) {
    for (const CgroupMount& mount : mounts) {
      if (mount.version != 1 || !HasItem(mount.controllers, name)) continue;
      auto folder = FolderIn(mount, membership.group);
      if (!folder) continue;
      facts.controllers.push_back({.name = name,
                                   .version = 1,
                                   .folder = *folder,
                                   .writable = root.Writable(*folder)});
      break;
    }
  }
}

// Adds the controllers of the process's own cgroup in the v2 hierarchy.
void AddV2(const SystemRoot& root, const std::vector<CgroupMount>& mounts,
           const CgroupMembership& membership, CgroupFacts& facts) {
  for (const CgroupMount& mount : mounts) {
    if (mount.version != 2) continue;
    auto folder = FolderIn(mount, membership.group);
    if (!folder) continue;
    auto names = root.Line(*folder / "cgroup.controllers");
    if (!names) continue;
    for (const std::string& name : SplitAt(*names, ' ')) {
      facts.controllers.push_back({.name = name,
                                   .version = 2,
                                   .folder = *folder,
                                   .writable = root.Writable(*folder)});
    }
    return;
  }
}

CgroupLayout DetectLayout(const std::vector<CgroupMount>& mounts) {
  bool one = false;
  bool two = false;
  for (const CgroupMount& mount : mounts)
    (mount.version == 1 ? one : two) = true;
  if (one && two) return CgroupLayout::kHybrid;
  if (one) return CgroupLayout::kV1;
  return two ? CgroupLayout::kV2 : CgroupLayout::kNone;
}

std::optional<int64_t> MillicoresIn(const SystemRoot& root, int version,
                                    const path& folder) {
  std::string quota = version == 2
                          ? root.TextOrNone(folder / "cpu.max")
                          : root.TextOrNone(folder / "cpu.cfs_quota_us") + " " +
                                root.TextOrNone(folder / "cpu.cfs_period_us");
  auto cores = ParseCores(quota);
  if (!cores) return std::nullopt;
  return std::llround(1000.0 * *cores);
}

std::optional<int64_t> BytesIn(const SystemRoot& root, int version,
                               const path& folder) {
  auto limit = ParseMemoryLimit(root.TextOrNone(
      folder / (version == 2 ? "memory.max" : "memory.limit_in_bytes")));
  if (!limit) return std::nullopt;
  return static_cast<int64_t>(limit->count);
}

using LimitReader = std::optional<int64_t>(const SystemRoot&, int, const path&);

// The smallest limit from the own cgroup up to the root of the file tree;
// folders above the mount have no such file.
std::optional<int64_t> Tightest(const SystemRoot& root,
                                const CgroupController* controller,
                                LimitReader* read) {
  if (controller == nullptr) return std::nullopt;
  std::optional<int64_t> tightest;
  path folder = controller->folder;
  while (folder.has_relative_path()) {
    auto limit = read(root, controller->version, folder);
    if (limit && (!tightest || *limit < *tightest)) tightest = limit;
    folder = folder.parent_path();
  }
  return tightest;
}

}  // namespace

const CgroupController* CgroupFacts::Find(std::string_view name) const {
  for (const CgroupController& controller : controllers) {
    if (controller.name == name) return &controller;
  }
  return nullptr;
}

CgroupFacts ReadCgroups(const SystemRoot& root) {
  const std::vector<CgroupMount> mounts = FindCgroupMounts(root);
  CgroupFacts facts{.layout = DetectLayout(mounts)};
  for (const CgroupMembership& membership :
       ReadCgroupMembership(root, "/proc/self/cgroup")) {
    if (membership.unified) {
      AddV2(root, mounts, membership, facts);
    } else {
      AddV1(root, mounts, membership, facts);
    }
  }
  std::sort(facts.controllers.begin(), facts.controllers.end(),
            [](const CgroupController& a, const CgroupController& b) {
              return a.name < b.name;
            });
  return facts;
}

std::optional<Millicores> ReadCpuLimit(const SystemRoot& root,
                                       const CgroupFacts& cgroups) {
  auto limit = Tightest(root, cgroups.Find("cpu"), MillicoresIn);
  if (!limit) return std::nullopt;
  return Millicores{*limit};
}

std::optional<Bytes> ReadMemoryLimit(const SystemRoot& root,
                                     const CgroupFacts& cgroups) {
  auto limit = Tightest(root, cgroups.Find("memory"), BytesIn);
  if (!limit) return std::nullopt;
  return Bytes{static_cast<uint64_t>(*limit)};
}

}  // namespace mete
