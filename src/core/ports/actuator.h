// Port: limits of what runs, read and changed while it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// What a person names: a container, a control group or processes.
struct ControlTarget {
  enum class Kind { kContainer, kGroup, kProcess };
  Kind kind = Kind::kProcess;
  std::string name;  // of processes: their program's name, or one pid
  bool operator==(const ControlTarget&) const = default;
  std::string Text() const;  // "process hog"
};

// What of it is changed. Values are numbers of CPUs, bytes, or 1 for paused
// and 0 for running.
enum class ControlKnob { kCpus, kMemory, kPause };

// Where the knob of a target was found. A plain value that another process can
// use after this one was killed: it names folders and identities, no pids that
// could mean somebody else by then.
struct KnobHold {
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;
  std::string place;  // a group's folder, or a container's identity
  int version = 2;    // of the control group
  // Set when the place has to be made for these processes: the group they are
  // in now, and are put back to.
  std::string home;
  std::vector<int> members;  // only right after Find
  bool operator==(const KnobHold&) const = default;
};

// An absent value is no limit. From one thread at a time.
class Actuator {
 public:
  virtual ~Actuator() = default;

  // Changes nothing. Fails with kNotFound when there is no such target, with
  // kPermissionDenied for what must not be touched: the first process, kernel
  // threads, top groups, and whatever holds this program or started it.
  virtual Result<KnobHold> Find(const ControlTarget& target,
                                ControlKnob knob) = 0;
  // Fails with kNotFound when the place is no more. It may outlive the target:
  // a group its processes, a stopped container's limits its run.
  virtual Result<std::optional<double>> Read(const KnobHold& hold) = 0;
  // Whether what was found is no more, so that a target of its name has to be
  // found anew. False when that cannot be known.
  virtual bool HasEnded(const KnobHold& hold) = 0;
  // Makes the place first when it has to be made.
  virtual Status Write(const KnobHold& hold, std::optional<double> value) = 0;
  // Puts the members of a made place back and removes it. Nothing happens
  // where none was made.
  virtual Status Release(const KnobHold& hold) = 0;
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
