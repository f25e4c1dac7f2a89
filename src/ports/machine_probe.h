// Port: looks at the whole machine while something runs on it.
#pragma once

#include "domain/machine_sample.h"

namespace mete {

// One caller at a time. Energy is summed from reading to reading, so a probe
// belongs to one run.
class MachineProbe {
 public:
  virtual ~MachineProbe() = default;
  virtual MachineSample Read() = 0;
};

}  // namespace mete
