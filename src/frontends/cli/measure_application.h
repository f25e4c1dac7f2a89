// The half of `mete measure` that runs a command or an image instead of a
// network.
#pragma once

#include "cli/application_flags.h"
#include "cli/verb.h"

namespace mete {

// Runs the words after "--", or the image with them, stores every run, and
// prints them.
Result<ExitCode> MeasureApplication(Invocation& invocation,
                                    const ApplicationFlags& flags);

}  // namespace mete
