// Writes the times of nodes as a trace that chrome://tracing and Perfetto show.
#pragma once

#include <string>
#include <vector>

#include "ports/engine.h"

namespace mete {

// A JSON document in the Trace Event Format: one complete event ("X") for each
// node of each call, in microseconds from the first node. Nodes without a start
// are left out.
std::string ChromeTrace(const std::vector<NodeTime>& times);

}  // namespace mete
