// mete sweep: finds the minimum memory and CPU a workload needs.
#pragma once

#include "cli/verb.h"
#include "measure/torch_program.h"
#include "ports/host.h"
#include "sweep/sweep_workload.h"

namespace mete {

// Dependencies of the interactive prompt, borrowed while the command runs. They
// open no store, so that aborting the prompt changes nothing.
struct SweepQuestionsDependencies {
  Host& host;
  TorchPlaces torch;
};

void AddSweepCommand(Command root, Verbs& verbs,
                     Lazy<SweepQuestionsDependencies> questions,
                     Lazy<SweepDependencies> dependencies);

}  // namespace mete
