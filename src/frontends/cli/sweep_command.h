// mete sweep: how little memory and CPU a workload needs.
#pragma once

#include "cli/verb.h"
#include "sweep/sweep_workload.h"

namespace mete {

void AddSweepCommand(Command root, Verbs& verbs,
                     Lazy<SweepDependencies> dependencies);

}  // namespace mete
