// Everything this machine has beside /proc and /sys to tell about itself.
#pragma once

#include <string>

#include "adapters/host/linux_machine_probe.h"
#include "support/clock.h"

namespace mete {

// `nvml` is the path of NVIDIA's library, or empty. What is not there is told
// with its reason. `clock` must outlive the sources.
MachineSources OpenMachineSources(const std::string& nvml, const Clock& clock);

}  // namespace mete
