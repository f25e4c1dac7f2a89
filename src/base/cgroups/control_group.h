// A control group of its own for one application: limits are set in it, usage
// is read from it, and every member can be found in it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cgroups/group_limits.h"
#include "machine/resource_usage.h"
#include "machine/limits.h"
#include "linux/cgroup_facts.h"
#include "linux/cgroup_paths.h"
#include "linux/cgroup_usage.h"
#include "linux/system_root.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// The group in every hierarchy it needs: one folder under version 2, one for
// each controller under version 1. Removed at the end of its life; its members
// must have ended before.
class ControlGroup {
 public:
  // Makes what this machine and user allow. What cannot be had is told in
  // `notes`, and the group may be empty(). Fails with kUnsupported when the
  // kernel refuses the value of a limit.
  static Result<ControlGroup> Create(
      const SystemRoot& root, const Limits& limits,
      std::vector<std::string>& notes,
      std::chrono::microseconds period = kDefaultQuotaPeriod);
  // A group at the top of every hierarchy, under one name, for a container
  // engine to put its own group into. Counters of memory and CPU time in it
  // outlive the container. Empty() when this user may not make it.
  static ControlGroup CreateTop(const SystemRoot& root);
  // No group, for where none is to be made.
  static ControlGroup None(const SystemRoot& root);
  ControlGroup(ControlGroup&&) = default;
  ControlGroup& operator=(ControlGroup&&) = delete;
  ~ControlGroup();

  // A group in this one, which must not have members of its own and has to
  // outlive it. `weight` is its share of a busy core against those beside it.
  Result<ControlGroup> CreateInner(const std::string& name, int weight) const;

  bool empty() const { return parts_.empty(); }
  // True when memory and CPU time of all members can be read.
  bool counts() const;
  std::vector<std::string> folders() const;
  // A process that writes "0" into each of these becomes a member.
  Result<std::vector<Descriptor>> OpenEntries() const;
  std::vector<pid_t> Members() const;
  // One thread at a time.
  ResourceUsage Usage();
  std::string Description() const;  // "cgroup v1"
  // Of a group that CreateTop made: what the engine is told.
  std::string TopPath() const { return "/" + name_; }
  CgroupPaths Paths() const;
  // A group that lies in it; absent while there is none of that name.
  std::optional<CgroupPaths> Inner(
      const std::function<bool(const std::string& name)>& is_it) const;

 private:
  struct Part {
    std::string controller;  // version 2: "" for all
    int version = 2;
    std::filesystem::path folder;
  };
  ControlGroup(const SystemRoot& root, std::string name)
      : root_(root), name_(std::move(name)) {}

  // Version 1: a folder for every controller that can be written.
  void MakeParts(const CgroupFacts& facts, const Limits& limits);
  void MakeUnified(const CgroupFacts& facts, std::vector<std::string>& notes);
  const Part* Find(std::string_view controller) const;
  CgroupPaths PathsBelow(const std::filesystem::path& name) const;

  SystemRoot root_;
  std::string name_;
  std::vector<Part> parts_;
  // More to be removed: the version 2 tree of a hybrid host counts nothing.
  std::vector<std::filesystem::path> others_;
  std::optional<CgroupReader> reader_;  // of the parts, once they are made
};

// What a group's counters say, in the words of a run.
ResourceUsage ToUsage(const CgroupUsage& read);
ResourceUsage ReadGroupUsage(const SystemRoot& root, const CgroupPaths& paths);

}  // namespace mete
