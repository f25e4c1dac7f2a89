// How the commands that run applications print the runs, and what those mean as
// an exit code.
#pragma once

#include <vector>

#include "cli/output.h"
#include "domain/run.h"
#include "flags/exit_code.h"
#include "measure/progress_lines.h"

namespace mete {

// Shows what a use case says on the terminal; the caller clears the progress.
ProgressLines LinesTo(Console& console);

// The runs of one application; at least one.
void PrintRuns(Output& output, const std::vector<Run>& runs);

// What to make of the runs in a script: 3 when a limit or the time-out was not
// kept, 1 when the application failed by itself.
ExitCode ExitCodeFor(const std::vector<Run>& runs);

}  // namespace mete
