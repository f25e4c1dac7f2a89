// Constants of a file as values: initializers and Constant nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "describe/node_view.h"
#include "domain/graph.h"

namespace mete {

// Shape, type, and the content when it is small enough to be followed.
ValueFacts ToValueFacts(const Constant& constant);

// The constant that a Constant node states, in any of its attributes. Absent
// when the node states none.
std::optional<Constant> FindConstant(const Node& node);

// What a Constant node gives.
ValueFacts ValueOfConstantNode(const Node& node);

}  // namespace mete
