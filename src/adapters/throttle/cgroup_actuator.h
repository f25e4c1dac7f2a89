// Changes limits of cgroups and processes, through cgroup v1 or v2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "ports/actuator.h"

namespace mete {

// If processes have a cgroup to themselves, that cgroup is changed; otherwise
// they are moved into a new one: under cgroup v1 below their cgroup, so that
// its limits still apply; under cgroup v2, which does not allow that, next to
// it, unless they would escape its limits.
class CgroupActuator final : public Actuator {
 public:
  // `self` is this program's pid; its own cgroup is never changed.
  CgroupActuator(SystemRoot root, int self)
      : root_(std::move(root)), self_(self) {}

  Result<LimitHandle> Find(const ControlTarget& target,
                           ControlKnob knob) override;
  Result<std::optional<double>> Read(const LimitHandle& handle) override;
  bool HasEnded(const LimitHandle& handle) override;
  Status Write(const LimitHandle& handle, std::optional<double> value) override;
  Status Release(const LimitHandle& handle) override;

 private:
  // The hierarchy that has the knob. Fails with kUnsupported if there is none.
  Result<CgroupMount> FindMount(ControlKnob knob) const;
  std::optional<std::filesystem::path> FindCgroup(const CgroupMount& mount,
                                                  ControlKnob knob,
                                                  int pid) const;
  Result<LimitHandle> FindGroup(const ControlTarget& target, ControlKnob knob,
                                const CgroupMount& mount) const;
  Result<LimitHandle> FindProcess(const ControlTarget& target, ControlKnob knob,
                                  const CgroupMount& mount) const;
  // Fails with kNotFound when a pid belongs to another process than when it was
  // first named: pids are reused, and the new process is not the target.
  Status CheckNumber(const std::string& name);
  // Fails with kUnsupported when processes would escape limits.
  Status CheckLeaving(const std::filesystem::path& home) const;
  Status CheckGroup(const CgroupMount& mount, ControlKnob knob,
                    const std::filesystem::path& folder) const;
  Status MakePlace(const LimitHandle& handle) const;
  // Members of the cgroup and its descendants.
  std::vector<int> AllMembers(const std::filesystem::path& folder) const;

  SystemRoot root_;
  int self_;
  // By pid: start time of the process that had it first; absent if there was
  // none.
  std::map<int, std::optional<uint64_t>> numbers_;
};

}  // namespace mete
