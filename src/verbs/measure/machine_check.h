// Looks at the machine just before a measurement: who else uses its CPUs, and
// whether their clock may change.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "ports/host.h"
#include "support/clock.h"

namespace mete {

// What the machine did while nothing was measured.
struct MachineCheck {
  // Absent where they cannot be read, or when `stop` was requested.
  std::optional<double> busy_cpus;
  std::optional<double> stolen_cpus;
  std::vector<std::string> warnings;  // one sentence each; usually none
};

// Takes 0.2 s, in which the caller must not keep the CPUs busy from another
// process; its own CPU time is subtracted.
MachineCheck CheckMachine(Host& host, Clock& clock, std::stop_token stop);

// The same, and passes every warning to `warn`, which may be empty.
MachineCheck CheckMachineAndWarn(
    Host& host, Clock& clock,
    const std::function<void(const std::string&)>& warn, std::stop_token stop);

// Keeps what the machine did in the environment of the run that follows.
void KeepLoad(const MachineCheck& check, Environment& environment);

// Also adds the warnings to the notes of an application's run.
void KeepCheck(const MachineCheck& check, Run& run);

}  // namespace mete
