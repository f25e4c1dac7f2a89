// Port: reads and changes limits of running workloads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// A target as named by a user: a container, a cgroup or processes.
struct ControlTarget {
  // Kind of target.
  enum class Kind { kContainer, kGroup, kProcess };
  Kind kind = Kind::kProcess;
  std::string name;  // for processes: a program name or a pid
  bool operator==(const ControlTarget&) const = default;
  std::string Text() const;  // "process hog"
};

// The property that is changed. Values are numbers of CPUs, bytes, or 1 for
// paused and 0 for running.
enum class ControlKnob { kCpus, kMemory, kPause };

// Where the knob of a target is. A plain value that another process can use
// after this one was killed: it contains folders and ids, but no pids, which
// could be reused by then.
struct LimitHandle {
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;
  std::string place;  // folder of a cgroup, or id of a container
  int version = 2;    // cgroup version
  // Set when a new cgroup has to be created for these processes: their present
  // cgroup, to which they return.
  std::string home;
  std::vector<int> members;  // only valid right after Find
  bool operator==(const LimitHandle&) const = default;
};

// Controls running workloads. An absent value means no limit. Not thread-safe.
class Actuator {
 public:
  virtual ~Actuator() = default;

  // Changes nothing. Fails with kNotFound when the target does not exist, with
  // kPermissionDenied for what must not be changed: init, kernel threads, root
  // cgroups, and anything that contains this program or started it.
  virtual Result<LimitHandle> Find(const ControlTarget& target,
                                   ControlKnob knob) = 0;
  // Fails with kNotFound when the place is gone. It may outlive the target: a
  // cgroup its processes, the limits of a stopped container its run.
  virtual Result<std::optional<double>> Read(const LimitHandle& handle) = 0;
  // True if the target that was found has ended, so that its name must be
  // looked up again. False when that cannot be determined.
  virtual bool HasEnded(const LimitHandle& handle) = 0;
  // Creates the cgroup first if necessary.
  virtual Status Write(const LimitHandle& handle,
                       std::optional<double> value) = 0;
  // Moves the members of a created cgroup back and removes it. Does nothing if
  // none was created.
  virtual Status Release(const LimitHandle& handle) = 0;
};

inline std::string ControlTarget::Text() const {
  switch (kind) {
    case Kind::kContainer:
      return "container " + name;
    case Kind::kGroup:
      return "group " + name;
    case Kind::kProcess:
      return "process " + name;
  }
  return name;
}

}  // namespace mete
