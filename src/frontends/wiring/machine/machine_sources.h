// Opens the metric sources of this machine besides /proc and /sys: NVIDIA GPUs
// and Jetson boards.
#pragma once

#include <string>

#include "adapters/host/linux_machine_probe.h"
#include "support/clock.h"

namespace mete {

// `nvml` is the path of NVIDIA's library, or empty to search for it. Sources
// that cannot be opened are listed as absent with the reason. `clock` must
// outlive the sources.
MachineSources OpenMachineSources(const std::string& nvml, const Clock& clock);

}  // namespace mete
