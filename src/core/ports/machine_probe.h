// Port: samples the whole machine while something runs on it.
#pragma once

#include <vector>

#include "domain/application_details.h"
#include "machine/machine_sample.h"

namespace mete {

// Samples the machine. Not thread-safe. Energy is summed from reading to
// reading, so each run needs its own probe.
class MachineProbe {
 public:
  virtual ~MachineProbe() = default;
  virtual MachineSample Read() = 0;
  // Sources that are not available on this machine, and why.
  virtual std::vector<AbsentProbe> AbsentProbes() const { return {}; }
};

// A part of the machine that needs a vendor's library or program (GPUs). Adds
// its current values to a sample; must not block.
class MachineSource {
 public:
  virtual ~MachineSource() = default;
  virtual void AddTo(MachineSample& sample) = 0;
};

}  // namespace mete
