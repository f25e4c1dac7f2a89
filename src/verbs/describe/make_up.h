// What a network consists of: its operators and the bytes of its constants.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "describe/amount.h"
#include "domain/graph.h"

namespace mete {

// Nodes by operator, subgraphs included.
std::map<std::string, uint64_t> CountOperators(const Graph& graph);

// Stored bytes of all initializers and Constant nodes, those of subgraphs and
// of functions (once each) included.
Amount WeightBytes(const Network& network);

}  // namespace mete
