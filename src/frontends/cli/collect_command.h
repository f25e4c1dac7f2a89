// mete collect: measures networks on devices under several loads, stores the
// runs and exports them as tables.
#pragma once

#include "cli/verb.h"
#include "collect/collect.h"
#include "ports/launchers.h"

namespace mete {

// What a collection on a cluster needs. Borrowed while the command runs.
struct CollectCluster {
  RunStore& store;
  Launchers& launchers;
};

void AddCollectCommand(Command root, Verbs& verbs,
                       Lazy<CollectDependencies> dependencies,
                       Lazy<CollectCluster> cluster);

}  // namespace mete
