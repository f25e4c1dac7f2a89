// Counts layers and parameters wherever a network stores them: initializers,
// Constant nodes, branches and loop bodies, quantized operators.
#pragma once

#include "domain/characteristics.h"
#include "domain/graph.h"

namespace mete {

// Counts all branches and bodies, each once. Local functions must be inlined;
// their constants count once per call. Leaves `kind` empty.
// docs/internals/characteristics.md defines what is a parameter.
LayerCounts CountLayers(const Graph& graph);

// The kind of a network from its counts: "CNN", "RNN", "Transformer", "MLP",
// several joined by "+", or "Unknown". `attention`: it computes attention.
std::string NameKind(const LayerCounts& counts, bool attention);

}  // namespace mete
