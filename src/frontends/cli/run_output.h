// Prints the runs of applications and converts them to exit codes.
#pragma once

#include <vector>

#include "cli/output.h"
#include "domain/run.h"
#include "flags/exit_code.h"
#include "measure/progress_lines.h"

namespace mete {

// Prints the messages of a use case. The caller clears the progress line.
ProgressLines LinesTo(Console& console);

// Prints the runs of one application; at least one.
void PrintRuns(Output& output, const std::vector<Run>& runs);

// Returns the exit code for the runs: 3 if a limit or the time-out was
// exceeded, 1 if the application failed by itself, 4 if the numbers of a
// network are not reliable.
ExitCode ExitCodeFor(const std::vector<Run>& runs);

}  // namespace mete
