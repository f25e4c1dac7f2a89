// A network to be written: a graph, and how each constant is filled.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "domain/graph.h"

namespace mete {

// Uniform in [-bound, bound], from the draft's seed and the constant's name.
struct UniformFill {
  double bound = 0;
};
// All elements have the same value.
struct ConstantFill {
  double value = 0;
};
// Trained weights; the creator of the draft keeps them until it is written.
struct BorrowedFill {
  std::span<const float> values;
};
// The content is in Constant::integers or Constant::reals.
struct LiteralFill {};

using Fill = std::variant<LiteralFill, ConstantFill, UniformFill, BorrowedFill>;

// A network to be written. Graph constants without an entry in `fills` are
// literal. Initializers, node attributes and stated shapes are written as in
// `graph`.
struct NetworkDraft {
  Graph graph;
  std::map<std::string, Fill> fills;  // by constant name
  int64_t opset = 17;                 // of the standard operator set
  std::vector<OperatorSet> other_operator_sets;
  uint64_t seed = 0;
};

}  // namespace mete
