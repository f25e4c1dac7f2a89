// The counts of PEPPER's model characteristics extractor, by its own rules, so
// that its predictors and clients keep working.
#pragma once

#include "domain/characteristics.h"
#include "domain/graph.h"

namespace mete {

// Looks at the top-level graph only: no subgraphs, functions, sparse
// Considers only the top-level graph: no subgraphs, functions, sparse
// initializers or Constant nodes. Identifies operators by name alone.
LegacyCounts CountLegacy(const Graph& graph);

}  // namespace mete
