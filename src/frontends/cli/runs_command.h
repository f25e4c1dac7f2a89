// mete runs list|show|report|export|import: manages the runs in the store.
#pragma once

#include "cli/verb.h"
#include "ports/run_store.h"

namespace mete {

// Dependencies of `mete runs`, borrowed while the command runs.
struct RunsDependencies {
  RunStore& store;
};

void AddRunsCommand(Command root, Verbs& verbs,
                    Lazy<RunsDependencies> dependencies);

}  // namespace mete
