// Replaces calls of local functions by their bodies, so that GraphWalk sees
// only graphs.
#pragma once

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Returns the network's graph with every call of a local function expanded,
// also in subgraphs. Makes inner names unique. Fails with kCorrupt when
// functions call themselves or expand to too many nodes.
Result<Graph> InlineFunctions(const Network& network);

}  // namespace mete
