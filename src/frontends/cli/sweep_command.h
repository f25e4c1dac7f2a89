// mete sweep: how little memory and CPU a workload needs.
#pragma once

#include "cli/verb.h"
#include "measure/torch_program.h"
#include "ports/host.h"
#include "sweep/sweep_workload.h"

namespace mete {

// What the questions at a terminal are about. Opens no store: a person who
// stops here has changed nothing. Borrowed while the command runs.
struct SweepQuestionsDependencies {
  Host& host;
  TorchPlaces torch;
};

void AddSweepCommand(Command root, Verbs& verbs,
                     Lazy<SweepQuestionsDependencies> questions,
                     Lazy<SweepDependencies> dependencies);

}  // namespace mete
