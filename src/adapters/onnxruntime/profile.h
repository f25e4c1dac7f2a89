// Reads the profile ONNX Runtime writes: a JSON array of trace events.
#pragma once

#include <istream>
#include <vector>

#include "ports/engine.h"
#include "support/result.h"

namespace mete {

// The time of every node in every run. Events of loading and of the session
// as a whole are passed over. A node that runs another graph (If, Loop)
// counts with its inner nodes, which appear again by themselves. Reads event
// by event: a long profile is larger than memory should be. Fails with
// kCorrupt.
Result<std::vector<NodeTime>> ReadProfile(std::istream& stream);

}  // namespace mete
