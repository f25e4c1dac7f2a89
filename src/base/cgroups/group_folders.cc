#include "cgroups/group_folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <thread>

#include "linux/cgroup_facts.h"
#include "linux/cgroup_paths.h"
#include "linux/process_usage.h"
#include "support/descriptor.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr std::string_view kPrefix = "mete-app-";

// Start time of the process in clock ticks since boot. Together with the pid it
// identifies a process uniquely. Empty if there is no such process, or if it
// has ended and its parent has not noticed; absent if that cannot be read.
std::optional<std::string> ReadStartTime(const SystemRoot& root, pid_t pid) {
  auto text = root.Text(fmt::format("/proc/{}/stat", pid));
  if (!text.ok()) {
    if (text.error().code() != ErrorCode::kNotFound) return std::nullopt;
    return "";
  }
  // The name in parentheses may contain blanks; the start is field 22.
  size_t name_end = text->rfind(')');
  if (name_end == std::string::npos) return "";
  auto fields = SplitAt(std::string_view(*text).substr(name_end + 2), ' ');
  bool ended = fields[0] == "Z" || fields[0] == "X";
  return fields.size() > 19 && !ended ? fields[19] : "";
}

ino_t PidNamespace(const SystemRoot& root) {
  struct stat space {};
  stat(root.Locate("/proc/self/ns/pid").c_str(), &space);
  return space.st_ino;
}

// Of the process of a tag of this namespace: whether it runs. Absent for
// anything else, and if it cannot be read.
std::optional<bool> Runs(const SystemRoot& root, std::string_view tag) {
  const auto parts = SplitAt(tag, '-');
  if (parts.size() != 3 || parts[2] != std::to_string(PidNamespace(root))) {
    return std::nullopt;
  }
  const auto pid = ParseNumber<pid_t>(parts[0]);
  if (!pid || *pid <= 0 || parts[1].empty()) return std::nullopt;
  const auto start = ReadStartTime(root, *pid);
  if (!start) return std::nullopt;
  return *start == parts[1];
}

bool IsLeftover(const SystemRoot& root, const std::string& name) {
  if (!name.starts_with(kPrefix)) return false;
  std::string_view tag = std::string_view(name).substr(kPrefix.size());
  size_t number = tag.rfind('-');
  return number != std::string_view::npos &&
         OwnerIsGone(root, tag.substr(0, number));
}

// The child cgroups of a cgroup, sorted by name.
std::vector<path> Below(const SystemRoot& root, const path& folder) {
  std::vector<path> found;
  for (const std::string& name : root.Names(folder)) {
    if (root.Exists(folder / name / "cgroup.procs")) {
      found.push_back(folder / name);
    }
  }
  return found;
}

void EndMembers(const SystemRoot& root, const path& folder) {
  for (const path& below : Below(root, folder)) EndMembers(root, below);
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    auto members = ReadMembers(root, folder);
    if (members.empty()) return;
    for (pid_t pid : members) kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Folders that may contain our cgroups: mete's own cgroup for processes, and
// the root for containers.
std::vector<path> GroupHolders(const SystemRoot& root) {
  std::vector<path> folders;
  auto add = [&](const path& folder) {
    if (std::ranges::find(folders, folder) == folders.end()) {
      folders.push_back(folder);
    }
  };
  for (const CgroupController& controller : ReadCgroups(root).controllers) {
    // Under cgroup v2 they may be in an ancestor.
    for (path at = controller.folder; root.Exists(at / "cgroup.procs");
         at = at.parent_path()) {
      add(at);
      if (controller.version == 1) break;
    }
  }
  for (const CgroupMount& mount : FindCgroupMounts(root)) add(mount.point);
  return folders;
}

// True if cgroups below `folder` get the controllers we need.
bool PassesOn(const SystemRoot& root, const path& folder) {
  auto names = root.Line(folder / "cgroup.subtree_control");
  if (!names) return false;
  auto list = SplitAt(*names, ' ');
  auto has = [&](const char* name) {
    return std::ranges::find(list, name) != list.end();
  };
  return has("memory") && has("cpu");
}

}  // namespace

Status PassOn(const SystemRoot& root, const path& folder) {
  path control = root.Locate(folder / "cgroup.subtree_control");
  // Memory first: the kernel rejects it while the cgroup has members. It would
  // accept pids, cpu and cpuset alone, but then make this a threaded cgroup,
  // below which processes can no longer have cgroups.
  RETURN_IF_ERROR(WriteControl(control, "+memory +cpu"));
  for (const char* optional : {"+pids", "+io", "+cpuset"}) {
    static_cast<void>(WriteControl(control, optional).ok());
  }
  return {};
}

namespace {

// cgroups(7), "no internal processes": only a cgroup without members can enable
// controllers for its children. If mete is alone in its cgroup (a container),
// it moves itself and its children into a new child cgroup.
Status MoveDown(const SystemRoot& root, const path& own) {
  const std::vector<pid_t> members = ReadMembers(root, own);
  const std::vector<int> ours = ProcessTree(root, getpid());
  for (pid_t member : members) {
    if (std::ranges::find(ours, member) == ours.end()) {
      return Error(ErrorCode::kPermissionDenied,
                   "other processes are in mete's own cgroup");
    }
  }
  path below = root.Locate(own / "mete");
  if (mkdir(below.c_str(), 0755) != 0 && errno != EEXIST) {
    return SystemError("create " + below.string(), errno);
  }
  for (pid_t member : members) {
    Status moved = WriteControl(below / "cgroup.procs", std::to_string(member));
    bool ended = !moved.ok() && moved.error().code() == ErrorCode::kNotFound;
    if (!ended) RETURN_IF_ERROR(moved);
  }
  return {};
}

}  // namespace

std::string OwnTag(const SystemRoot& root) {
  return fmt::format("{}-{}-{}", getpid(),
                     ReadStartTime(root, getpid()).value_or(""),
                     PidNamespace(root));
}

bool OwnerIsGone(const SystemRoot& root, std::string_view tag) {
  return !Runs(root, tag).value_or(true);
}

bool OwnerRuns(const SystemRoot& root, std::string_view tag) {
  return Runs(root, tag).value_or(false);
}

std::string NewGroupName(const SystemRoot& root) {
  static std::atomic<int> count{0};  // one process may create several
  return fmt::format("{}{}-{}", kPrefix, OwnTag(root), ++count);
}

std::vector<pid_t> ReadMembers(const SystemRoot& root, const path& folder) {
  std::vector<pid_t> members;
  auto text = root.Text(folder / "cgroup.procs");
  if (!text.ok()) return members;
  for (const std::string& line : SplitLines(*text)) {
    pid_t pid = 0;
    std::from_chars(line.data(), line.data() + line.size(), pid);
    if (pid > 0) members.push_back(pid);
  }
  return members;
}

void RemoveGroup(const SystemRoot& root, const path& folder) {
  for (const path& below : Below(root, folder)) RemoveGroup(root, below);
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    if (rmdir(root.Locate(folder).c_str()) == 0 || errno != EBUSY) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void RemoveLeftoverGroups(const SystemRoot& root) {
  for (const path& folder : GroupHolders(root)) {
    if (!root.Writable(folder)) continue;
    for (const std::string& name : root.Names(folder)) {
      if (!IsLeftover(root, name)) continue;
      EndMembers(root, folder / name);
      RemoveGroup(root, folder / name);
    }
  }
}

Result<path> UnifiedBase(const SystemRoot& root, const path& own) {
  for (path at = own; root.Exists(at / "cgroup.controllers");
       at = at.parent_path()) {
    bool ours = root.Writable(at) && root.Writable(at / "cgroup.procs");
    if (ours && PassesOn(root, at)) return at;
  }
  if (PassOn(root, own).ok()) return own;
  RETURN_IF_ERROR(MoveDown(root, own));
  RETURN_IF_ERROR(PassOn(root, own));
  return own;
}

Status WriteControl(const path& file, const std::string& value) {
  Descriptor opened(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  std::string act = fmt::format("write {} to {}", value, file.string());
  if (!opened.open()) return SystemError(act, errno);
  if (write(opened.number(), value.data(), value.size()) < 0) {
    return SystemError(act, errno);
  }
  return {};
}

}  // namespace mete
