// mete doctor: what this machine can do, and what to do about the rest.
#pragma once

#include "cli/verb.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/system_probes.h"

namespace mete {

// Borrowed while the command runs.
struct DoctorDependencies {
  Host& host;
  SystemProbes& probes;
  // Why it fails is a finding.
  std::function<Result<Engine*>()> open_engine;
};

void AddDoctorCommand(Command root, Verbs& verbs,
                      Lazy<DoctorDependencies> dependencies);

}  // namespace mete
