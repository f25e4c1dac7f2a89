// Commands that still take their dependencies from Invocation::services.
#pragma once

#include "cli/services.h"
#include "cli/verb.h"

namespace mete {

void AddBenchCommand(Command root, Verbs& verbs);
void AddJobsCommand(Command root, Verbs& verbs);
void AddMeasureCommand(Command root, Verbs& verbs);
void AddSessionCommand(Command root, Verbs& verbs);
void AddServeCommand(Command root, Verbs& verbs);
void AddSweepCommand(Command root, Verbs& verbs);

}  // namespace mete
