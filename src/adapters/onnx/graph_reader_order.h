// Resolves the names in a graph: each is produced once, before it is read.
#pragma once

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Checks the names of a network and sorts the nodes of every graph and function
// so that producers come first; nodes already in order keep their positions.
// Fails with kCorrupt on a name that is produced twice or not at all, and on a
// cycle.
Status ResolveNames(Network& network);

}  // namespace mete
