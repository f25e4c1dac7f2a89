#include "cgroups/group_limits.h"

#include <fmt/format.h>

#include "cgroups/group_folders.h"
#include "support/core_list.h"
#include "support/units.h"

namespace mete {
namespace {

using std::filesystem::path;

Status ApplyMemory(const SystemRoot& root, const CgroupFolder& part,
                   const Limits& limits, std::vector<std::string>& notes) {
  const std::string value = std::to_string(limits.memory->count);
  path folder = root.Locate(part.folder);
  auto refused = [&](const Status& status) -> Status {
    if (status.ok()) return {};
    return Unsupported(fmt::format("memory limit {}: {}",
                                   FormatBytes(*limits.memory),
                                   status.error().message()));
  };
  if (part.version == 2) {
    RETURN_IF_ERROR(refused(WriteControl(folder / "memory.max", value)));
    if (limits.swap || !root.Exists(part.folder / "memory.swap.max")) {
      return {};
    }
    return refused(WriteControl(folder / "memory.swap.max", "0"));
  }
  RETURN_IF_ERROR(
      refused(WriteControl(folder / "memory.limit_in_bytes", value)));
  if (limits.swap) return {};
  // This limit covers memory and swap together: the same value leaves nothing
  // for swap.
  if (root.Exists(part.folder / "memory.memsw.limit_in_bytes")) {
    return refused(WriteControl(folder / "memory.memsw.limit_in_bytes", value));
  }
  static_cast<void>(WriteControl(folder / "memory.swappiness", "0").ok());
  auto swaps = root.Text("/proc/swaps");
  if (swaps.ok() && SplitLines(*swaps).size() > 1) {
    notes.push_back(
        "swap is not limited: this kernel does not account for it "
        "(boot with swapaccount=1, or turn swap off)");
  }
  return {};
}

Status ApplyCpus(const SystemRoot& root, const CgroupFolder& part,
                 Millicores cpus, std::chrono::microseconds period) {
  int64_t quota = cpus.count * period.count() / 1000;
  if (quota < kShortestQuota.count()) {
    return Unsupported(
        fmt::format("CPU limit {}m: the kernel's minimum is {}m", cpus.count,
                    kShortestQuota.count() * 1000 / period.count()));
  }
  path folder = root.Locate(part.folder);
  auto refused = [&](const Status& status) -> Status {
    if (status.ok()) return {};
    return Unsupported(
        fmt::format("CPU limit {}m: {}", cpus.count, status.error().message()));
  };
  if (part.version == 2) {
    return refused(WriteControl(folder / "cpu.max",
                                fmt::format("{} {}", quota, period.count())));
  }
  RETURN_IF_ERROR(refused(WriteControl(folder / "cpu.cfs_period_us",
                                       std::to_string(period.count()))));
  return refused(
      WriteControl(folder / "cpu.cfs_quota_us", std::to_string(quota)));
}

// cgroup v2 accepts cores that do not exist and then uses all others.
Status CheckCoresExist(const SystemRoot& root, const std::string& cpus) {
  auto online = root.Line("/sys/devices/system/cpu/online");
  auto existing = ParseCoreList(online.value_or(""));
  auto wanted = ParseCoreList(cpus);
  if (!existing.ok() || !wanted.ok()) return {};
  auto missing = FindMissingCore(*wanted, *existing);
  if (!missing) return {};
  bool several = online->find_first_of("-,") != std::string::npos;
  return Unsupported(
      fmt::format("core {} does not exist; this machine has {} {}", *missing,
                  several ? "cores" : "core", *online));
}

Status ApplyCpuset(const SystemRoot& root, const CgroupFolder& part,
                   const std::string& cpus) {
  RETURN_IF_ERROR(CheckCoresExist(root, cpus));
  path folder = root.Locate(part.folder);
  if (part.version == 1) {
    // cgroup v1 does not inherit the memory nodes.
    auto nodes = root.Line(part.folder.parent_path() / "cpuset.mems");
    RETURN_IF_ERROR(WriteControl(folder / "cpuset.mems", nodes.value_or("0")));
  }
  Status set = WriteControl(folder / "cpuset.cpus", cpus);
  if (set.ok()) return {};
  return Unsupported(fmt::format("cores {}: {}", cpus, set.error().message()));
}

Status ApplyProcesses(const SystemRoot& root, const CgroupFolder& part,
                      uint64_t processes) {
  Status set = WriteControl(root.Locate(part.folder / "pids.max"),
                            std::to_string(processes));
  if (set.ok()) return {};
  return Unsupported(fmt::format("{}: {}",
                                 Counted(processes, "process", "processes"),
                                 set.error().message()));
}

}  // namespace

Status ApplyLimits(const SystemRoot& root, const CgroupPaths& group,
                   const Limits& limits, LimitReport& report,
                   std::chrono::microseconds period) {
  // cgroup v2 creates a controller's files only where it is enabled.
  auto usable = [&](const std::optional<CgroupFolder>& part, const char* file) {
    return part && (file == nullptr || root.Exists(part->folder / file));
  };
  auto missing = [&](const char* controller, EnforcedLimit limit) {
    report.missing.push_back(limit);
    report.notes.push_back(fmt::format(
        "the {} limit is not applied: cannot create a cgroup for {} here (run "
        "as root, or in a delegated cgroup)",
        ToString(limit), controller));
  };
  if (limits.memory && !usable(group.memory, nullptr)) {
    missing("memory", EnforcedLimit::kMemory);
  } else if (limits.memory) {
    RETURN_IF_ERROR(ApplyMemory(root, *group.memory, limits, report.notes));
  }
  if (limits.cpus && !usable(group.cpu, nullptr)) {
    missing("cpu", EnforcedLimit::kCpus);
  } else if (limits.cpus) {
    RETURN_IF_ERROR(ApplyCpus(root, *group.cpu, *limits.cpus, period));
  }
  if (limits.processes && !usable(group.pids, "pids.max")) {
    missing("pids", EnforcedLimit::kProcesses);
  } else if (limits.processes) {
    RETURN_IF_ERROR(ApplyProcesses(root, *group.pids, *limits.processes));
  }
  if (limits.cpuset && !usable(group.cpuset, "cpuset.cpus")) {
    missing("cpuset", EnforcedLimit::kCpuset);
  } else if (limits.cpuset) {
    RETURN_IF_ERROR(ApplyCpuset(root, *group.cpuset, *limits.cpuset));
  }
  return {};
}

Status RemoveCpuLimit(const SystemRoot& root, const CgroupPaths& group) {
  if (!group.cpu) return {};
  path folder = root.Locate(group.cpu->folder);
  if (group.cpu->version == 2) return WriteControl(folder / "cpu.max", "max");
  return WriteControl(folder / "cpu.cfs_quota_us", "-1");
}

Status ApplyWeight(const SystemRoot& root, const CgroupPaths& group,
                   int weight) {
  if (!group.cpu) return {};
  path folder = root.Locate(group.cpu->folder);
  if (group.cpu->version == 2) {
    return WriteControl(folder / "cpu.weight", std::to_string(100 * weight));
  }
  return WriteControl(folder / "cpu.shares", std::to_string(1024 * weight));
}

}  // namespace mete
