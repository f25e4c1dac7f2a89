// The predecessor's counts, by its own rules, so that predictors and clients
// made for it keep working.
#pragma once

#include "domain/characteristics.h"
#include "domain/graph.h"

namespace mete {

// Looks at the top-level graph only: no subgraphs, functions, sparse
// initializers or Constant nodes. Operators are told by their names alone.
LegacyCounts CountLegacy(const Graph& graph);

}  // namespace mete
