// A network to be written: a graph plus the rule by which each constant is
// filled.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>

#include "domain/graph.h"

namespace mete {

// Uniform in [-bound, bound], from the draft's seed and the constant's name.
struct UniformFill {
  double bound = 0;
};
// Every element the same.
struct ConstantFill {
  double value = 0;
};
// Trained elsewhere; whoever made the draft keeps them until it is written.
struct BorrowedFill {
  std::span<const float> values;
};
// The content stands in Constant::integers or Constant::reals.
struct LiteralFill {};

using Fill = std::variant<LiteralFill, ConstantFill, UniformFill, BorrowedFill>;

// Graph constants without an entry in `fills` are literal. Initializers, node
// attributes and stated shapes are written as they stand in `graph`.
struct NetworkDraft {
  Graph graph;
  std::map<std::string, Fill> fills;  // by constant name
  int64_t opset = 17;
  uint64_t seed = 0;
};

}  // namespace mete
