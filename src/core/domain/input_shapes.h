// Open sizes of a network's inputs settled by the request: given shapes, then
// the batch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// What the user says about the sizes of a network's inputs.
struct InputSizes {
  // A size known by a symbol holds wherever the symbol does.
  std::vector<ShapeOverride> shapes;
  int64_t batch = 1;  // for inputs whose first size is open
};

struct BoundInputs {
  std::vector<GraphValue> inputs;
  std::map<std::string, int64_t> symbols;  // sizes that are decided
};

// Fails with kInvalidInput when a shape names no input, or contradicts the
// input's rank, a fixed size, or another shape.
Result<BoundInputs> BindInputs(const std::vector<GraphValue>& inputs,
                               const InputSizes& sizes);

// The shape with decided symbols replaced by their sizes.
Shape Substitute(Shape shape, const std::map<std::string, int64_t>& symbols);

// One line for each input that is still open: which size to give, and how.
std::vector<std::string> OpenInputNotes(const std::vector<GraphValue>& inputs);

}  // namespace mete
