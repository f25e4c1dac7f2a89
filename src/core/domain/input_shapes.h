// Determines open sizes of a network's inputs from the request: given shapes,
// then the batch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

// Fails with kInvalidInput if a batch other than 1 is the first size of none of
// the bound inputs: all of them are fixed, so the batch would be ignored.
Status CheckBatch(const std::vector<GraphValue>& bound, int64_t batch);

// Replaces determined symbols in a shape by their sizes.
Shape Substitute(Shape shape, const std::map<std::string, int64_t>& symbols);

// The length of a sequence in an example, unless the network is known to need
// another one.
inline constexpr int64_t kExampleLength = 128;

// Plausible sizes of the inputs that are still open: one item, pictures of
// 640 x 640, sequences of `length`. An input whose sizes follow from those of
// an earlier one is left out.
std::vector<ShapeOverride> ExampleShapes(const std::vector<GraphValue>& inputs,
                                         int64_t length);

// One line that says which inputs are still open, with the flags that set all
// of them. Absent if none is.
std::optional<std::string> OpenInputsNote(const std::vector<GraphValue>& inputs,
                                          int64_t length = kExampleLength);

}  // namespace mete
