// mete collect: every network on every device under several loads, into the
// store and out as tables.
#pragma once

#include "cli/verb.h"
#include "collect/collect.h"

namespace mete {

void AddCollectCommand(Command root, Verbs& verbs,
                       Lazy<CollectDependencies> dependencies);

}  // namespace mete
