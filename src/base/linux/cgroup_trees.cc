#include "linux/cgroup_trees.h"

#include <fcntl.h>

#include <algorithm>

#include "linux/cgroup_paths.h"

namespace mete {
namespace {

struct PartName {
  CgroupPart part;
  const char* old;      // cgroup v1 controller
  const char* unified;  // cgroup v2 controller; null if none is needed
};
constexpr std::array<PartName, kCgroupParts> kNames{
    PartName{CgroupPart::kMemory, "memory", "memory"},
    PartName{CgroupPart::kCpu, "cpu", "cpu"},
    PartName{CgroupPart::kCpuacct, "cpuacct", nullptr},
    PartName{CgroupPart::kPids, "pids", "pids"},
    PartName{CgroupPart::kBlkio, "blkio", "io"},
    PartName{CgroupPart::kPressure, "", nullptr}};

// From inside another cgroup the root shows as "/../..".
bool IsWhole(const CgroupMount& mount) {
  return mount.top == "/" || mount.top.starts_with("/..");
}

bool Serves(const CgroupMount& mount, const PartName& name) {
  if (mount.version == 2 && name.unified == nullptr) return true;
  return std::ranges::count(mount.controllers,
                            mount.version == 1 ? name.old : name.unified) > 0;
}

}  // namespace

const char* V1ControllerFor(CgroupPart part) {
  return std::ranges::find(kNames, part, &PartName::part)->old;
}

std::string CgroupTree::Below(std::string_view group) const {
  group.remove_prefix(std::min(top.size(), group.size()));
  while (group.starts_with('/')) group.remove_prefix(1);
  return group.empty() ? "." : std::string(group);
}

CgroupTrees::CgroupTrees(const SystemRoot& root) {
  std::vector<CgroupMount> mounts = FindCgroupMounts(root);
  // cgroup v1 first: a controller it has is missing from v2. Of several views
  // of one tree prefer the widest.
  std::ranges::stable_sort(mounts, [](const auto& a, const auto& b) {
    if (a.version != b.version) return a.version < b.version;
    return IsWhole(a) && !IsWhole(b);
  });
  trees_.reserve(mounts.size());  // parts_ points into it
  for (const CgroupMount& mount : mounts) {
    CgroupTree tree{.version = mount.version,
                    .top = IsWhole(mount) ? "" : mount.top};
    tree.folder = Descriptor(open(root.Locate(mount.point).c_str(),
                                  O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!tree.folder.open()) continue;
    trees_.push_back(std::move(tree));
    for (const PartName& name : kNames) {
      const CgroupTree*& part = parts_[static_cast<size_t>(name.part)];
      if (part == nullptr && Serves(mount, name)) part = &trees_.back();
    }
  }
}

const CgroupTree* CgroupTrees::Main() const {
  for (CgroupPart part : {CgroupPart::kMemory, CgroupPart::kCpu,
                          CgroupPart::kPids, CgroupPart::kCpuacct}) {
    if (Of(part) != nullptr) return Of(part);
  }
  return nullptr;
}

}  // namespace mete
