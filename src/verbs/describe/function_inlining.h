// Local functions replaced by their bodies, so that walking needs to know
// graphs only.
#pragma once

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// The network's graph with every call of a local function expanded, also in
// subgraphs; inner names are made unique. Fails with kCorrupt when functions
// call themselves or expand to an absurd number of nodes.
Result<Graph> InlineFunctions(const Network& network);

}  // namespace mete
