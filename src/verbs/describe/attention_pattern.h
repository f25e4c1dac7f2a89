// Finds attention that is built from plain operators: the matrix products
// around a softmax.
#pragma once

#include <string_view>
#include <unordered_set>

#include "describe/node_view.h"
#include "domain/graph.h"

namespace mete {

// The values of a graph that lead into a softmax, or come out of one, through
// nothing but scaling, masking and rearranging. The graph must outlive the
// pattern.
class AttentionPattern {
 public:
  explicit AttentionPattern(const Graph& graph);

  // Whether a matrix product is one of attention's two: both its factors depend
  // on the input, and a softmax follows or precedes it.
  bool Matches(const NodeView& view) const;

 private:
  std::unordered_set<std::string_view> before_softmax_;
  std::unordered_set<std::string_view> after_softmax_;
};

}  // namespace mete
