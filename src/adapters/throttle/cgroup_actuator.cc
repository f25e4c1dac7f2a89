#include "adapters/throttle/cgroup_actuator.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "adapters/throttle/process_search.h"
#include "cgroups/group_folders.h"
#include "cgroups/group_knobs.h"

namespace mete {
namespace {

using std::filesystem::path;

std::string ControllerFor(ControlKnob knob) {
  switch (knob) {
    case ControlKnob::kCpus:
      return "cpu";
    case ControlKnob::kMemory:
      return "memory";
    case ControlKnob::kPause:
      return "freezer";
  }
  return "";
}

const char* FileFor(ControlKnob knob) {
  switch (knob) {
    case ControlKnob::kCpus:
      return "cpu.max";
    case ControlKnob::kMemory:
      return "memory.max";
    case ControlKnob::kPause:
      return "cgroup.freeze";
  }
  return "";
}

bool Holds(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

bool LiesIn(const path& inner, const path& outer) {
  auto [left, right] = std::ranges::mismatch(outer, inner);
  return left == outer.end();
}

// Without a trailing slash, so that equal folders compare equal.
path Plain(const path& folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

Error Refused(const path& folder, const char* why) {
  return Error(
      ErrorCode::kPermissionDenied,
      fmt::format("cgroup {} {}; it is never changed", folder.string(), why));
}

CgroupFolder FolderFor(const LimitHandle& handle) {
  return {.version = handle.version, .folder = handle.place};
}

}  // namespace

Result<CgroupMount> CgroupActuator::FindMount(ControlKnob knob) const {
  const std::string controller = ControllerFor(knob);
  const auto mounts = FindCgroupMounts(root_);
  for (const CgroupMount& mount : mounts) {
    if (mount.version == 1 && Holds(mount.controllers, controller)) {
      return mount;
    }
  }
  for (const CgroupMount& mount : mounts) {
    bool offers =
        knob == ControlKnob::kPause || Holds(mount.controllers, controller);
    if (mount.version == 2 && offers) return mount;
  }
  return Unsupported(
      fmt::format("no cgroups for {} on this machine", controller));
}

std::optional<path> CgroupActuator::FindCgroup(const CgroupMount& mount,
                                               ControlKnob knob,
                                               int pid) const {
  const std::string controller = ControllerFor(knob);
  for (const CgroupMembership& membership :
       ReadCgroupMembership(root_, fmt::format("/proc/{}/cgroup", pid))) {
    bool here = mount.version == 2 ? membership.unified
                                   : Holds(membership.controllers, controller);
    auto folder = here ? FolderIn(mount, membership.group) : std::nullopt;
    if (folder) return Plain(*folder);
  }
  return std::nullopt;
}

std::vector<int> CgroupActuator::AllMembers(const path& folder) const {
  std::vector<int> members = ReadMembers(root_, folder);
  for (const std::string& name : root_.Names(folder)) {
    if (!root_.Exists(folder / name / "cgroup.procs")) continue;
    auto inner = AllMembers(folder / name);
    members.insert(members.end(), inner.begin(), inner.end());
  }
  return members;
}

Status CgroupActuator::CheckGroup(const CgroupMount& mount, ControlKnob knob,
                                  const path& folder) const {
  if (folder == mount.point) return Refused(folder, "is the root cgroup");
  auto own = FindCgroup(mount, knob, self_);
  if (own && LiesIn(*own, folder))
    return Refused(folder, "contains this program");
  auto first = FindCgroup(mount, knob, 1);
  if (first && LiesIn(*first, folder)) {
    return Refused(folder, "contains the init process");
  }
  return {};
}

Result<LimitHandle> CgroupActuator::FindGroup(const ControlTarget& target,
                                              ControlKnob knob,
                                              const CgroupMount& mount) const {
  path named = path(target.name).lexically_normal();
  path folder =
      LiesIn(named, mount.point) ? named : mount.point / named.relative_path();
  folder = Plain(folder.lexically_normal());
  if (!LiesIn(folder, mount.point)) {
    return InvalidInput(target.name + " is outside all cgroups");
  }
  RETURN_IF_ERROR(CheckGroup(mount, knob, folder));
  if (!root_.Exists(folder / "cgroup.procs")) {
    return NotFound(fmt::format("no cgroup {}", folder.string()));
  }
  return LimitHandle{.target = target,
                     .knob = knob,
                     .place = folder.string(),
                     .version = mount.version};
}

Status CgroupActuator::CheckNumber(const std::string& name) {
  auto pid = PidIn(name);
  if (!pid) return {};
  auto process = ReadProcess(root_, *pid);
  auto started = process ? std::optional(process->started) : std::nullopt;
  auto first = numbers_.try_emplace(*pid, started).first->second;
  if (!process || started == first) return {};
  return NotFound(fmt::format(
      "{} is another process now; the intended one has ended", *pid));
}

Status CgroupActuator::CheckLeaving(const path& home) const {
  for (const char* file : {"cpu.max", "memory.max", "memory.high",
                           "memory.swap.max", "pids.max"}) {
    const std::string limit = root_.TextOrNone(home / file);
    if (limit.empty() || limit.starts_with("max")) continue;
    return Unsupported(
        fmt::format("cgroup {} has its own limits ({}), which would not apply "
                    "to processes moved out of it; name the cgroup instead",
                    home.string(), file));
  }
  return {};
}

Result<LimitHandle> CgroupActuator::FindProcess(
    const ControlTarget& target, ControlKnob knob,
    const CgroupMount& mount) const {
  ASSIGN_OR_RETURN(auto pids, FindProcesses(root_, target.name, self_));
  auto home = FindCgroup(mount, knob, pids.front());
  if (!home) return NotFound("no process " + target.name);
  for (int pid : pids) {
    if (FindCgroup(mount, knob, pid) == home) continue;
    return InvalidInput(fmt::format(
        "processes {} are in different cgroups; name a pid or a cgroup",
        target.name));
  }
  auto family = WithDescendants(ReadProcesses(root_), pids);
  std::erase_if(family,
                [&](int pid) { return FindCgroup(mount, knob, pid) != home; });
  LimitHandle handle{.target = target,
                     .knob = knob,
                     .place = home->string(),
                     .version = mount.version};
  bool alone = *home != mount.point &&
               std::ranges::all_of(AllMembers(*home), [&](int pid) {
                 return std::ranges::binary_search(family, pid);
               });
  if (alone) return handle;
  bool below = mount.version == 1 || *home == mount.point;
  if (!below) RETURN_IF_ERROR(CheckLeaving(*home));
  path name = fmt::format("mete-control-{}", pids.front());
  handle.home = home->string();
  handle.place = ((below ? *home : home->parent_path()) / name).string();
  handle.members = std::move(family);
  return handle;
}

Result<LimitHandle> CgroupActuator::Find(const ControlTarget& target,
                                         ControlKnob knob) {
  ASSIGN_OR_RETURN(CgroupMount mount, FindMount(knob));
  if (target.kind == ControlTarget::Kind::kGroup) {
    return FindGroup(target, knob, mount);
  }
  RETURN_IF_ERROR(CheckNumber(target.name));
  return FindProcess(target, knob, mount);
}

Result<std::optional<double>> CgroupActuator::Read(const LimitHandle& handle) {
  const bool there = root_.Exists(path(handle.place) / "cgroup.procs");
  const bool pause = handle.knob == ControlKnob::kPause;
  if (!there && !handle.members.empty()) {  // not created yet
    return pause ? std::optional<double>(0) : std::nullopt;
  }
  if (!there) return NotFound(handle.target.Text() + " has ended");
  if (pause) {
    ASSIGN_OR_RETURN(bool frozen, ReadFrozen(root_, FolderFor(handle)));
    return std::optional<double>(frozen ? 1 : 0);
  }
  return handle.knob == ControlKnob::kCpus
             ? ReadCpuQuota(root_, FolderFor(handle))
             : ReadMemoryMax(root_, FolderFor(handle));
}

bool CgroupActuator::HasEnded(const LimitHandle& handle) {
  if (!root_.Exists(path(handle.place) / "cgroup.procs")) {
    return handle.members.empty();  // otherwise it is not created yet
  }
  // A cgroup outlives its processes; a process target ends with its process.
  return handle.target.kind == ControlTarget::Kind::kProcess &&
         AllMembers(handle.place).empty();
}

Status CgroupActuator::MakePlace(const LimitHandle& handle) const {
  const path place = root_.Locate(handle.place);
  if (mkdir(place.c_str(), 0755) != 0 && errno != EEXIST) {
    return SystemError("create " + place.string(), errno);
  }
  // cgroup v2 creates a controller's files only where it is enabled.
  if (handle.version == 2 &&
      !root_.Exists(path(handle.place) / FileFor(handle.knob))) {
    RETURN_IF_ERROR(WriteControl(place.parent_path() / "cgroup.subtree_control",
                                 "+" + ControllerFor(handle.knob)));
  }
  size_t moved = 0;
  for (int pid : handle.members) {
    Status entered = WriteControl(place / "cgroup.procs", std::to_string(pid));
    if (entered.ok()) {
      ++moved;
    } else if (root_.Exists(fmt::format("/proc/{}", pid))) {
      return entered;
    }
  }
  if (moved == 0) return NotFound(handle.target.Text() + " has ended");
  return {};
}

Status CgroupActuator::Write(const LimitHandle& handle,
                             std::optional<double> value) {
  if (!handle.members.empty()) RETURN_IF_ERROR(MakePlace(handle));
  switch (handle.knob) {
    case ControlKnob::kCpus:
      return WriteCpuQuota(root_, FolderFor(handle), value);
    case ControlKnob::kMemory:
      return WriteMemoryMax(root_, FolderFor(handle), value);
    case ControlKnob::kPause:
      return WriteFrozen(root_, FolderFor(handle), value.value_or(0) > 0);
  }
  return {};
}

Status CgroupActuator::Release(const LimitHandle& handle) {
  const path place = handle.place;
  if (handle.home.empty() || !root_.Exists(place / "cgroup.procs")) return {};
  path home = handle.home;
  if (!root_.Exists(home / "cgroup.procs")) home = place.parent_path();
  // Repeat, because members may fork meanwhile.
  constexpr int kTries = 10;
  for (int i = 0; i < kTries; ++i) {
    auto members = ReadMembers(root_, place);
    if (members.empty()) break;
    for (int pid : members) {
      static_cast<void>(
          WriteControl(root_.Locate(home / "cgroup.procs"), std::to_string(pid))
              .ok());
    }
  }
  if (!ReadMembers(root_, place).empty()) {
    return Unavailable(fmt::format("move the members of {} back to {}: failed",
                                   place.string(), home.string()));
  }
  RemoveGroup(root_, place);
  return {};
}

}  // namespace mete
