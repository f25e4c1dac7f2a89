// Describes a network without running it: its cost, memory and operators.
#pragma once

#include <cstdint>
#include <vector>

#include "domain/characteristics.h"
#include "domain/graph.h"
#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// The sizes to use for open dimensions, and what to report.
struct DescribeRequest {
  // Sizes of inputs. The size of a symbol applies wherever the symbol occurs.
  std::vector<ShapeOverride> shapes;
  int64_t batch = 1;    // for inputs whose first size is open
  bool layers = false;  // also list every node
};

// Values that depend on an open size are absent, and a note names that size.
// docs/internals/characteristics.md defines what each value counts. Fails with
// kInvalidInput when the request does not fit the network (an unknown input, a
// wrong rank), and with kCorrupt when the network contradicts itself.
Result<Characteristics> Describe(const Network& network,
                                 const DescribeRequest& request);

// The length of a sequence to suggest to a user who leaves it open: one with
// which the network can run, if there is one.
int64_t SuggestLength(const Network& network);

}  // namespace mete
