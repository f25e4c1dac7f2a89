// mete runs list|show|report|export|import: what the store holds.
#pragma once

#include "cli/verb.h"
#include "ports/run_store.h"

namespace mete {

// Borrowed while the command runs.
struct RunsDependencies {
  RunStore& store;
};

void AddRunsCommand(Command root, Verbs& verbs,
                    Lazy<RunsDependencies> dependencies);

}  // namespace mete
