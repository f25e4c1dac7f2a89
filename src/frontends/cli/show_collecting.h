// Shows a running collection on the console: a progress line, and its notes as
// warnings.
#pragma once

#include "cli/output.h"
#include "collect/inspect_machine.h"

namespace mete {

// Borrows `talk`. The caller clears the progress line afterwards.
CollectCallbacks ShowCollecting(Console& console);

// Prints what happens while this machine is inspected.
InspectCallbacks InspectTo(Console& console);

}  // namespace mete
