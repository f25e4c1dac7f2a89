// Port: looks at the whole machine while something runs on it.
#pragma once

#include <vector>

#include "domain/application_details.h"
#include "machine/machine_sample.h"

namespace mete {

// One caller at a time. Energy is summed from reading to reading, so a probe
// belongs to one run.
class MachineProbe {
 public:
  virtual ~MachineProbe() = default;
  virtual MachineSample Read() = 0;
  // Sources that this machine does not have, and why.
  virtual std::vector<AbsentProbe> AbsentProbes() const { return {}; }
};

// A part of the machine that only a library or program of its maker can tell
// about (GPUs). Adds to samples what it knows at that moment; must not wait.
class MachineSource {
 public:
  virtual ~MachineSource() = default;
  virtual void AddTo(MachineSample& sample) = 0;
};

}  // namespace mete
