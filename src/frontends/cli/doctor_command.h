// mete doctor: checks what works on this machine and how to fix the rest.
#pragma once

#include "cli/verb.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/system_probes.h"

namespace mete {

// Dependencies of `mete doctor`, borrowed while the command runs.
struct DoctorDependencies {
  Host& host;
  SystemProbes& probes;
  // A failure is reported as a finding.
  std::function<Result<Engine*>()> open_engine;
};

void AddDoctorCommand(Command root, Verbs& verbs,
                      Lazy<DoctorDependencies> dependencies);

}  // namespace mete
