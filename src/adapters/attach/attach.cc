#include "adapters/attach/attach.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "adapters/attach/attached_container.h"
#include "adapters/attach/attached_process.h"
#include "linux/container_groups.h"
#include "linux/container_names.h"
#include "linux/process_usage.h"
#include "linux/program_name.h"
#include "support/command_line.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

// Longer command lines are cut.
constexpr size_t kLongestCommand = 1000;

std::string CommandLineOf(const SystemRoot& root, int pid) {
  std::string text =
      root.TextOrNone("/proc/" + std::to_string(pid) + "/cmdline");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::vector<std::string> arguments;
  for (const std::string& part : SplitAt(text, '\0')) {
    arguments.push_back(Tame(part, kLongestCommand));
  }
  return Tame(JoinCommandLine(arguments), kLongestCommand);
}

Result<AttachedService> AttachToProcess(int pid, const SystemRoot& root) {
  if (!ReadProcessUsage(root, pid).started) {
    return NotFound(fmt::format("no process has the PID {}", pid));
  }
  Workload workload{.kind = WorkloadKind::kService,
                    .name = ProgramName(root, pid),
                    .source = CommandLineOf(root, pid)};
  if (workload.name.empty()) workload.name = fmt::format("process {}", pid);
  return AttachedService{
      .workload = std::move(workload),
      .application = std::make_unique<AttachedProcess>(root, pid)};
}

// A container with one of its processes.
struct RunningContainer {
  ContainerIdentity identity;
  std::string name;  // "" when it is not known
  int pid = 0;

  std::string Shown() const {
    return name.empty() ? identity.ShortName() : name;
  }
};

std::vector<RunningContainer> FindRunning(const SystemRoot& root) {
  ContainerNames names(root);
  names.Refresh();
  std::map<std::string, RunningContainer> found;  // by cgroup
  for (const std::string& entry : root.Names("/proc")) {
    auto pid = ParseNumber<int>(entry);
    if (!pid) continue;
    auto identity = ContainerOfProcess(root, *pid);
    if (!identity || found.contains(identity->group)) continue;
    found[identity->group] = {
        .identity = *identity, .name = names.Of(*identity).name, .pid = *pid};
  }
  std::vector<RunningContainer> running;
  for (auto& [group, container] : found) running.push_back(container);
  return running;
}

// The beginning of an id must be long enough to be meant.
constexpr size_t kShortestId = 4;

bool IsCalled(const RunningContainer& container, const std::string& wanted) {
  const ContainerIdentity& identity = container.identity;
  return container.name == wanted || identity.id == wanted ||
         (wanted.size() >= kShortestId && identity.id.starts_with(wanted));
}

Result<RunningContainer> FindOne(const std::string& wanted,
                                 const SystemRoot& root) {
  std::vector<RunningContainer> matching;
  std::set<std::string> containers;
  for (const RunningContainer& container : FindRunning(root)) {
    if (IsCalled(container, wanted)) matching.push_back(container);
    if (container.identity.runtime != ContainerRuntime::kSystemd) {
      containers.insert(container.Shown());
    }
  }
  if (matching.size() == 1) return matching.front();
  if (matching.empty()) {
    return NotFound(fmt::format(
        "no running container is called '{}'; {}", wanted,
        containers.empty()
            ? "none is running"
            : fmt::format("running: {}", fmt::join(containers, ", "))));
  }
  std::vector<std::string> ids;
  for (const RunningContainer& container : matching) {
    ids.push_back(container.identity.ShortName());
  }
  return InvalidInput(fmt::format("several containers are called '{}': {}",
                                  wanted, fmt::join(ids, ", ")));
}

// The folder of the whole container, when a process of it lies deeper.
void RaiseTo(const std::string& name, std::optional<CgroupFolder>& part) {
  if (!part) return;
  for (auto folder = part->folder; folder.has_relative_path();
       folder = folder.parent_path()) {
    if (folder.filename() != name) continue;
    part->folder = folder;
    return;
  }
}

Result<AttachedService> AttachToContainer(const std::string& wanted,
                                          const SystemRoot& root) {
  ASSIGN_OR_RETURN(RunningContainer container, FindOne(wanted, root));
  CgroupPaths paths = FindCgroupPaths(root, container.pid);
  const std::string folder =
      std::filesystem::path(container.identity.group).filename().string();
  for (auto* part :
       {&paths.memory, &paths.cpu, &paths.cpuacct, &paths.pids, &paths.blkio}) {
    RaiseTo(folder, *part);
  }
  if (!AnyFolder(paths)) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("the cgroup of '{}' cannot be read", wanted));
  }
  return AttachedService{
      .workload = {.kind = WorkloadKind::kService,
                   .name = container.Shown(),
                   .source = "container " + container.identity.ShortName()},
      .application = std::make_unique<AttachedContainer>(root, paths)};
}

}  // namespace

Result<AttachedService> AttachTo(const AttachTarget& target,
                                 const SystemRoot& root) {
  return target.pid ? AttachToProcess(*target.pid, root)
                    : AttachToContainer(target.container, root);
}

}  // namespace mete
