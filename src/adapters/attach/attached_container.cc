#include "adapters/attach/attached_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cgroups/control_group.h"
#include "cgroups/group_folders.h"
#include "support/check.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

// How often to look whether the container has ended.
constexpr nanoseconds kContainerLook = std::chrono::milliseconds(20);

}  // namespace

std::optional<CgroupFolder> AnyFolder(const CgroupPaths& paths) {
  for (const auto* part :
       {&paths.memory, &paths.cpuacct, &paths.cpu, &paths.pids, &paths.blkio}) {
    if (*part) return *part;
  }
  return std::nullopt;
}

AttachedContainer::AttachedContainer(const SystemRoot& root,
                                     const CgroupPaths& paths)
    : root_(root),
      folder_(*AnyFolder(paths)),
      reader_(root, paths),
      usage_(ToUsage(reader_.Read())) {
  Usage();  // the first reading of memory
  notes_.emplace_back("the memory peak is the highest sample");
}

bool AttachedContainer::Ended() const {
  if (!root_.Exists(folder_.folder)) return true;
  // Engines remove the cgroup a moment after the last process has ended.
  return usage_.last().processes == 0u;
}

bool AttachedContainer::Wait(nanoseconds at_most) {
  while (!Ended()) {
    if (at_most <= nanoseconds(0)) return false;
    nanoseconds part = std::min(at_most, kContainerLook);
    std::this_thread::sleep_for(part);
    at_most -= part;
  }
  return true;
}

ResourceUsage AttachedContainer::Usage() {
  // After its end there is nothing to read: the last reading is kept.
  if (!root_.Exists(folder_.folder)) return usage_.last();
  return usage_.Update(ToUsage(reader_.Read()));
}

std::vector<int> AttachedContainer::ProcessIds() const {
  return ReadMembers(root_, folder_.folder);
}

std::string AttachedContainer::Accounting() const {
  return fmt::format("cgroup v{}, since the attachment", folder_.version);
}

ProcessEnding AttachedContainer::Outcome() {
  return {.oom_kills = usage_.last().oom_kills.value_or(0),
          .evidence = "it is not a child of mete"};
}

}  // namespace mete
