// Parses the profile that ONNX Runtime writes: a JSON array of trace events.
#pragma once

#include <istream>
#include <vector>

#include "ports/engine.h"
#include "support/result.h"

namespace mete {

// The time of every node in every run. Skips events of loading and of the
// session as a whole. The time of a node that runs another graph (If, Loop)
// includes its inner nodes, which are also listed themselves. Parses event by
// event, because a long profile would use too much memory. Fails with kCorrupt.
Result<std::vector<NodeTime>> ReadProfile(std::istream& stream);

}  // namespace mete
