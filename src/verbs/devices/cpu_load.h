// How busy this machine is right now.
#pragma once

#include <optional>
#include <stop_token>

#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// The share of all cores that was in use during half a second, 0 to 1. Absent
// when the machine does not report the time of its cores, or when stopped.
std::optional<double> ReadCpuLoad(MachineProbe& probe, Clock& clock,
                                  std::stop_token stop);

}  // namespace mete
