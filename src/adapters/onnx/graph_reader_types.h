// Names with element type and shape: ONNX's ValueInfoProto.
#pragma once

#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Fails with kCorrupt when the value has no name, or a negative or implausible
// size. Sequences, maps and optionals have no type and shape in the result.
Result<GraphValue> ReadValueInfo(const WireReader& message);

}  // namespace mete
