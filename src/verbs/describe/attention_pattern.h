// Finds the matrix products around a softmax: attention written out in plain
// operators.
#pragma once

#include <string_view>
#include <unordered_set>

#include "describe/node_view.h"
#include "domain/graph.h"

namespace mete {

// Which values of a graph lead into a softmax or come out of one through
// scaling, masking and rearranging alone. The graph outlives the pattern.
class AttentionPattern {
 public:
  explicit AttentionPattern(const Graph& graph);

  // Whether a matrix product is one of attention's two: both its factors
  // depend on the input, and a softmax follows or precedes.
  bool Matches(const NodeView& view) const;

 private:
  std::unordered_set<std::string_view> before_softmax_;
  std::unordered_set<std::string_view> after_softmax_;
};

}  // namespace mete
