// Names of a graph: every one read is produced once, before it is read.
#pragma once

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Checks the network's names and puts the nodes of every graph and function
// into an order in which producers come first; nodes that stand so already
// keep their places. Fails with kCorrupt on a name produced twice or by
// nothing, and on a cycle.
Status ResolveNames(Network& network);

}  // namespace mete
