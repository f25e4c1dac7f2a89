// Counts the operators of a network and the bytes of its constants.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "describe/amount.h"
#include "domain/graph.h"

namespace mete {

// Number of nodes by operator, including subgraphs.
std::map<std::string, uint64_t> CountOperators(const Graph& graph);

// Stored bytes of all initializers and Constant nodes, including those of
// subgraphs and functions (once each).
Amount WeightBytes(const Network& network);

}  // namespace mete
