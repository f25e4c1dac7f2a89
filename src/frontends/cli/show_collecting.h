// Shows a running collection on the console: a progress line, and its notes as
// warnings.
#pragma once

#include "cli/output.h"
#include "collect/collect.h"

namespace mete {

// Borrows `talk`. The caller clears the progress line afterwards.
CollectCallbacks ShowCollecting(Console& console);

}  // namespace mete
