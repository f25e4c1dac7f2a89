// mete place simulate: compares placement policies on traces of GPU clusters.
#pragma once

#include "cli/verb.h"

namespace mete {

// Adds the subcommand below `mete place`.
void AddPlaceSimulate(Command place, Verbs& verbs);

}  // namespace mete
