// Limits of groups and of processes, through control groups of either version.
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

// Of processes that have a group to themselves that group is turned; others
// are moved into one made for them: under version 1 below the group they are
// in, so that its limits go on holding; under version 2, which does not allow
// that, beside it, unless that would free them of its limits.
class GroupActuator final : public Actuator {
 public:
  // `self` is this program's pid: what holds it is not touched.
  GroupActuator(SystemRoot root, int self)
      : root_(std::move(root)), self_(self) {}

  Result<KnobHold> Find(const ControlTarget& target, ControlKnob knob) override;
  Result<std::optional<double>> Read(const KnobHold& hold) override;
  bool HasEnded(const KnobHold& hold) override;
  Status Write(const KnobHold& hold, std::optional<double> value) override;
  Status Release(const KnobHold& hold) override;

 private:
  // The hierarchy a knob is found in. Fails with kUnsupported without one.
  Result<CgroupMount> MountOf(ControlKnob knob) const;
  std::optional<std::filesystem::path> GroupOf(const CgroupMount& mount,
                                               ControlKnob knob, int pid) const;
  Result<KnobHold> FindGroup(const ControlTarget& target, ControlKnob knob,
                             const CgroupMount& mount) const;
  Result<KnobHold> FindProcess(const ControlTarget& target, ControlKnob knob,
                               const CgroupMount& mount) const;
  // Fails with kNotFound when a pid is not whose it was when it was first
  // named: numbers are used again, and the next one did nothing.
  Status CheckNumber(const std::string& name);
  // Fails with kUnsupported when processes would leave limits behind.
  Status CheckLeaving(const std::filesystem::path& home) const;
  Status CheckGroup(const CgroupMount& mount, ControlKnob knob,
                    const std::filesystem::path& folder) const;
  Status MakePlace(const KnobHold& hold) const;
  // Of the group and those in it.
  std::vector<int> AllMembers(const std::filesystem::path& folder) const;

  SystemRoot root_;
  int self_;
  // By pid: when the process was started that had it first; absent: nobody had.
  std::map<int, std::optional<uint64_t>> numbers_;
};

}  // namespace mete
