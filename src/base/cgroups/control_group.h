// A cgroup created for one application: holds its limits, counts its usage, and
// lists its processes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cgroups/group_limits.h"
#include "linux/cgroup_facts.h"
#include "linux/cgroup_paths.h"
#include "linux/cgroup_usage.h"
#include "linux/system_root.h"
#include "machine/limits.h"
#include "machine/resource_usage.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// A file whose first number is a CPU time.
struct CpuCounter {
  Descriptor file;
  std::chrono::nanoseconds unit{1};
};

// One cgroup in every hierarchy it needs: a single folder under cgroup v2, one
// per controller under cgroup v1. The destructor removes it; all members must
// have ended before.
class ControlGroup {
 public:
  // Creates what this machine and user allow. `report` gets what is missing,
  // and the result may be empty(). Fails with kUnsupported when the kernel
  // rejects the value of a limit.
  static Result<ControlGroup> Create(
      const SystemRoot& root, const Limits& limits, LimitReport& report,
      std::chrono::microseconds period = kDefaultQuotaPeriod);
  // A cgroup at the root of every hierarchy, under one name, as the parent of a
  // container engine's cgroup. Its memory and CPU time counters outlive the
  // container. Empty() when this user may not create it.
  static ControlGroup CreateTop(const SystemRoot& root);
  // An empty() cgroup, for when none should be created.
  static ControlGroup None(const SystemRoot& root);
  ControlGroup(ControlGroup&&) = default;
  ControlGroup& operator=(ControlGroup&&) = delete;
  ~ControlGroup();

  // Creates a child cgroup. This cgroup must have no members of its own and
  // must outlive the child. `weight` is the child's CPU share relative to its
  // siblings.
  Result<ControlGroup> CreateInner(const std::string& name, int weight) const;

  bool empty() const { return parts_.empty(); }
  const std::string& name() const { return name_; }  // of its folders
  // True when memory and CPU time of all members can be read.
  bool counts() const;
  std::vector<std::string> folders() const;
  // A process that writes "0" into each of these becomes a member.
  Result<std::vector<Descriptor>> OpenEntries() const;
  // The file that counts the CPU time of all members, to be read by a process
  // that cannot allocate. Not open where nothing counts it.
  CpuCounter OpenCpuCounter() const;
  std::vector<pid_t> Members() const;
  // Not thread-safe.
  ResourceUsage Usage();
  std::string Description() const;  // "cgroup v1"
  int version() const { return parts_.empty() ? 0 : parts_.front().version; }
  // For a cgroup from CreateTop: the path to pass to the engine.
  std::string TopPath() const { return "/" + name_; }
  CgroupPaths Paths() const;
  // The child cgroup whose name matches; absent while there is none.
  std::optional<CgroupPaths> Inner(
      const std::function<bool(const std::string& name)>& is_it) const;

 private:
  // The cgroup's folder in one hierarchy.
  struct Part {
    std::string controller;  // cgroup v2: "" for all
    int version = 2;
    std::filesystem::path folder;
  };
  ControlGroup(const SystemRoot& root, std::string name)
      : root_(root), name_(std::move(name)) {}

  // cgroup v1: creates a folder for every writable controller.
  void MakeParts(const CgroupFacts& facts, const Limits& limits);
  void MakeUnified(const CgroupFacts& facts, std::vector<std::string>& notes);
  const Part* Find(std::string_view controller) const;
  CgroupPaths PathsBelow(const std::filesystem::path& name) const;

  SystemRoot root_;
  std::string name_;
  std::vector<Part> parts_;
  // More folders to remove: the v2 tree of a hybrid host counts nothing.
  std::vector<std::filesystem::path> others_;
  std::optional<CgroupReader> reader_;  // set once the parts exist
};

// Converts cgroup counters to the usage of a run.
ResourceUsage ToUsage(const CgroupUsage& read);
ResourceUsage ReadGroupUsage(const SystemRoot& root, const CgroupPaths& paths);

}  // namespace mete
