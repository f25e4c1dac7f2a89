// Determines open sizes of a network's inputs from the request: given shapes,
// then the batch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Sizes of a network's inputs given by the user.
struct InputSizes {
  // A size for a symbol applies wherever the symbol occurs.
  std::vector<ShapeOverride> shapes;
  int64_t batch = 1;  // for inputs whose first size is open
};

// Inputs after applying the request.
struct BoundInputs {
  std::vector<GraphValue> inputs;
  std::map<std::string, int64_t> symbols;  // sizes that are determined
};

// Fails with kInvalidInput when a shape names no input, or contradicts the
// input's rank, a fixed size, or another shape.
Result<BoundInputs> BindInputs(const std::vector<GraphValue>& inputs,
                               const InputSizes& sizes);

// Replaces determined symbols in a shape by their sizes.
Shape Substitute(Shape shape, const std::map<std::string, int64_t>& symbols);

// One line for each input that is still open: which size to give, and how.
std::vector<std::string> OpenInputNotes(const std::vector<GraphValue>& inputs);

}  // namespace mete
