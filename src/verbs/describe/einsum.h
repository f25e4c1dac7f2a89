// The Einstein summation notation of Einsum: "bij,bjk->bik".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/amount.h"
#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// A parsed equation.
class Equation {
 public:
  // Fails when the text is not an equation.
  static Result<Equation> Parse(std::string_view text);

  // An equation applied to operand shapes.
  struct Bound {
    Shape output;
    Amount combinations;  // product of the sizes of all labels
  };
  // Absent when a shape is unknown. Fails when the shapes do not fit.
  Result<std::optional<Bound>> Bind(
      const std::vector<const Shape*>& shapes) const;

 private:
  // Labels of each operand; '.' stands for an ellipsis.
  std::vector<std::string> terms_;
  std::string output_;
};

}  // namespace mete
