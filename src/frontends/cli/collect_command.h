// mete collect: measures networks on devices under several loads, stores the
// runs and exports them as tables.
#pragma once

#include "cli/verb.h"
#include "collect/collect.h"

namespace mete {

void AddCollectCommand(Command root, Verbs& verbs,
                       Lazy<CollectDependencies> dependencies);

}  // namespace mete
