// What verbs that run applications share: the outside they need, how the runs
// are printed and what they mean as an exit code.
#pragma once

#include <vector>

#include "cli/output.h"
#include "cli/services.h"
#include "domain/run.h"
#include "flags/exit_code.h"
#include "measure/application_outside.h"

namespace mete {

// Borrows from the services.
ApplicationOutside OutsideOf(Services& services);

// The runs of one application; at least one.
void PrintRuns(Output& output, const std::vector<Run>& runs);

// What to make of the runs in a script: 3 when a limit or the time-out was not
// kept, 1 when the application failed by itself.
ExitCode CodeOf(const std::vector<Run>& runs);

}  // namespace mete
