// Describes a network without running it: its cost, its memory, its make-up.
#pragma once

#include <cstdint>
#include <vector>

#include "domain/characteristics.h"
#include "domain/graph.h"
#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// How open sizes are settled and what is wanted.
struct DescribeRequest {
  // Sizes of inputs; a size known by a symbol holds wherever the symbol does.
  std::vector<ShapeOverride> shapes;
  int64_t batch = 1;    // for inputs whose first size is open
  bool layers = false;  // also list every node
};

// Figures that hang on a size nobody gave are absent, and a note says which
// size that is. docs/internals/characteristics.md states what each figure
// counts. Fails with kInvalidInput when the request does not fit the network
// (an unknown input, a wrong rank), and with kCorrupt when the network
// contradicts itself.
Result<Characteristics> Describe(const Network& network,
                                 const DescribeRequest& request);

}  // namespace mete
