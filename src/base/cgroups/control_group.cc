#include "cgroups/control_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "cgroups/group_folders.h"
#include "cgroups/group_limits.h"
#include "linux/cgroup_usage.h"

namespace mete {

using std::filesystem::path;

Result<ControlGroup> ControlGroup::Create(const SystemRoot& root,
                                          const Limits& limits,
                                          LimitReport& report,
                                          std::chrono::microseconds period) {
  ControlGroup group(root, NewGroupName(root));
  CgroupFacts facts = ReadCgroups(root);
  const CgroupController* memory = facts.Find("memory");
  if (memory != nullptr && memory->version == 2) {
    group.MakeUnified(facts, report.notes);
  } else {
    group.MakeParts(facts, limits);
  }
  RETURN_IF_ERROR(ApplyLimits(root, group.Paths(), limits, report, period));
  group.reader_.emplace(root, group.Paths());
  return group;
}

Result<ControlGroup> ControlGroup::CreateInner(const std::string& name,
                                               int weight) const {
  ControlGroup inner(root_, name);
  std::optional<std::string> cores;
  for (const Part& part : parts_) {
    if (part.version == 2) RETURN_IF_ERROR(PassOn(root_, part.folder));
    path folder = part.folder / name;
    bool made = mkdir(root_.Locate(folder).c_str(), 0755) == 0;
    if (!made && errno != EEXIST) {
      return SystemError("create " + folder.string(), errno);
    }
    inner.parts_.push_back({.controller = part.controller,
                            .version = part.version,
                            .folder = folder});
    // cgroup v1 leaves the cpuset of a new cgroup empty.
    if (part.controller == "cpuset") {
      cores = root_.Line(part.folder / "cpuset.cpus");
    }
  }
  LimitReport report;
  RETURN_IF_ERROR(ApplyLimits(root_, inner.Paths(), {.cpuset = cores}, report));
  RETURN_IF_ERROR(ApplyWeight(root_, inner.Paths(), weight));
  inner.reader_.emplace(root_, inner.Paths());
  return inner;
}

ControlGroup ControlGroup::CreateTop(const SystemRoot& root) {
  ControlGroup group(root, NewGroupName(root));
  for (const CgroupMount& mount : FindCgroupMounts(root)) {
    path folder = mount.point / group.name_;
    if (mkdir(root.Locate(folder).c_str(), 0755) != 0) continue;
    if (mount.version == 2) {
      group.others_.push_back(folder);
      continue;
    }
    // Include hierarchies that nothing is read from: engines create the missing
    // cgroups there and leave them behind.
    std::vector<std::string> controllers = mount.controllers;
    if (controllers.empty()) controllers = {""};
    for (const std::string& name : controllers) {
      group.parts_.push_back(
          {.controller = name, .version = 1, .folder = folder});
    }
  }
  if (group.Find("memory") == nullptr && !group.others_.empty()) {
    path unified = group.others_.front();
    group.parts_.assign({{.controller = "", .version = 2, .folder = unified}});
    group.others_.clear();
  }
  group.reader_.emplace(root, group.Paths());
  return group;
}

ControlGroup ControlGroup::None(const SystemRoot& root) {
  return ControlGroup(root, "");
}

void ControlGroup::MakeUnified(const CgroupFacts& facts,
                               std::vector<std::string>& notes) {
  auto base = UnifiedBase(root_, facts.Find("memory")->folder);
  if (!base.ok()) {
    notes.push_back("no cgroup: " + base.error().message());
    return;
  }
  path folder = *base / name_;
  if (mkdir(root_.Locate(folder).c_str(), 0755) != 0) {
    notes.push_back("no cgroup: " +
                    SystemError("create " + folder.string(), errno).message());
    return;
  }
  parts_.push_back({.controller = "", .version = 2, .folder = folder});
}

void ControlGroup::MakeParts(const CgroupFacts& facts, const Limits& limits) {
  for (const char* name :
       {"memory", "cpu", "cpuacct", "pids", "blkio", "cpuset"}) {
    const CgroupController* found = facts.Find(name);
    if (found == nullptr || !found->writable) continue;
    // A cpuset must be filled in before processes can join it.
    if (found->name == "cpuset" && !limits.cpuset) continue;
    path folder = found->folder / name_;
    bool made = mkdir(root_.Locate(folder).c_str(), 0755) == 0;
    // Controllers that are mounted together share the folder.
    if (!made && errno != EEXIST) continue;
    parts_.push_back({.controller = name, .version = 1, .folder = folder});
  }
}

const ControlGroup::Part* ControlGroup::Find(
    std::string_view controller) const {
  for (const Part& part : parts_) {
    if (part.version == 2 || part.controller == controller) return &part;
  }
  return nullptr;
}

ControlGroup::~ControlGroup() {
  for (const Part& part : parts_) RemoveGroup(root_, part.folder);
  for (const path& folder : others_) RemoveGroup(root_, folder);
}

bool ControlGroup::counts() const {
  return Find("memory") != nullptr &&
         (Find("cpuacct") != nullptr || Find("cpu") != nullptr);
}

std::vector<std::string> ControlGroup::folders() const {
  std::vector<std::string> folders;
  for (const Part& part : parts_) {
    folders.push_back(root_.Locate(part.folder).string());
  }
  return folders;
}

Result<std::vector<Descriptor>> ControlGroup::OpenEntries() const {
  std::vector<Descriptor> entries;
  for (const std::string& folder : folders()) {
    std::string file = folder + "/cgroup.procs";
    Descriptor entry(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (!entry.open()) return SystemError("open " + file, errno);
    entries.push_back(std::move(entry));
  }
  return entries;
}

CpuCounter ControlGroup::OpenCpuCounter() const {
  const Part* part = Find("cpuacct");
  if (part == nullptr) return {};
  const bool unified = part->version == 2;
  const path file = part->folder / (unified ? "cpu.stat" : "cpuacct.usage");
  return {.file = Descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC)),
          .unit = unified ? std::chrono::microseconds(1)
                          : std::chrono::nanoseconds(1)};
}

std::vector<pid_t> ControlGroup::Members() const {
  if (parts_.empty()) return {};
  return ReadMembers(root_, parts_.front().folder);
}

CgroupPaths ControlGroup::Paths() const { return PathsBelow({}); }

std::optional<CgroupPaths> ControlGroup::Inner(
    const std::function<bool(const std::string& name)>& is_it) const {
  const Part* memory = Find("memory");
  if (memory == nullptr) return std::nullopt;
  for (const std::string& name : root_.Names(memory->folder)) {
    if (is_it(name)) return PathsBelow(name);
  }
  return std::nullopt;
}

CgroupPaths ControlGroup::PathsBelow(const path& name) const {
  auto folder = [&](const char* controller) -> std::optional<CgroupFolder> {
    const Part* part = Find(controller);
    if (part == nullptr) return std::nullopt;
    return CgroupFolder{
        .version = part->version,
        .folder = name.empty() ? part->folder : part->folder / name};
  };
  return {.memory = folder("memory"),
          .cpu = folder("cpu"),
          .cpuacct = folder("cpuacct"),
          .cpuset = folder("cpuset"),
          .pids = folder("pids"),
          .blkio = folder("blkio")};
}

ResourceUsage ControlGroup::Usage() {
  return reader_ ? ToUsage(reader_->Read()) : ResourceUsage();
}

ResourceUsage ReadGroupUsage(const SystemRoot& root, const CgroupPaths& paths) {
  return ToUsage(ReadCgroupUsage(root, paths));
}

ResourceUsage ToUsage(const CgroupUsage& read) {
  // the kernel counts both kinds together
  std::optional<uint64_t> minor_faults;
  // No program runs without page faults: 0 means that the kernel, which counts
  // in batches, has not summed up yet.
  const bool counted = read.memory.page_faults.value_or(0) > 0;
  if (counted && read.memory.major_faults) {
    minor_faults = *read.memory.page_faults - *read.memory.major_faults;
  }
  // For the same reason, anonymous memory of 0 is not a reading, and the file
  // pages beside it are not either.
  const bool parts = read.memory.anonymous.value_or(Bytes{}).count > 0;
  return {.cpu = read.cpu.total,
          .cpu_user = read.cpu.user,
          .cpu_system = read.cpu.system,
          .periods = read.cpu.periods,
          .throttled_periods = read.cpu.throttled_periods,
          .throttled = read.cpu.throttled,
          .memory = read.memory.current,
          .memory_peak = read.memory.peak,
          .memory_anonymous = parts ? read.memory.anonymous : std::nullopt,
          .memory_file = parts ? read.memory.file : std::nullopt,
          .memory_kernel = read.memory.kernel,
          .swap = read.memory.swap,
          .minor_faults = minor_faults,
          .major_faults = read.memory.major_faults,
          .disk_read = read.io.read,
          .disk_written = read.io.written,
          .processes = read.tasks,
          .oom_kills = read.memory.oom_kills};
}

std::string ControlGroup::Description() const {
  if (parts_.empty()) return "no cgroup";
  return fmt::format("cgroup v{}", parts_.front().version);
}

}  // namespace mete
