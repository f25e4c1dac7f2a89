// Names with their element type and shape: ONNX's ValueInfoProto.
#pragma once

#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Fails with kCorrupt when the value has no name, or a negative or absurd
// size. Sequences, maps and optionals come out without type and shape.
Result<GraphValue> ReadValueInfo(const WireReader& message);

}  // namespace mete
