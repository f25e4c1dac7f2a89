// Reads the constants of a file: initializers and Constant nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "describe/node_view.h"
#include "domain/graph.h"

namespace mete {

// Type, shape and, if the constant is small enough, its content.
ValueFacts ToValueFacts(const Constant& constant);

// The constant in the attributes of a Constant node. Absent when there is none.
std::optional<Constant> FindConstant(const Node& node);

// The output value of a Constant node.
ValueFacts ValueOfConstantNode(const Node& node);

}  // namespace mete
