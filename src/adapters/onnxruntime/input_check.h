// Checks tensors against the inputs of a network before the engine sees them:
// the engine's own messages name neither the flag nor the remedy.
#pragma once

#include <span>
#include <vector>

#include "domain/graph.h"
#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// For every input the index of its value. Fails with kInvalidInput when a name,
// type, shape or size does not match, or an input is missing or given twice,
// and with kUnsupported for elements without a size (strings).
Result<std::vector<size_t>> MatchInputs(const std::vector<GraphValue>& expected,
                                        std::span<const TensorValue> given);

}  // namespace mete
