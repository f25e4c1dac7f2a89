// Einstein's summation notation: "bij,bjk->bik".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/amount.h"
#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

class Equation {
 public:
  // Fails when it is not an equation.
  static Result<Equation> Parse(std::string_view text);

  struct Bound {
    Shape output;
    Amount combinations;  // product of the sizes of all labels
  };
  // Absent when a shape is unknown. Fails when the shapes do not fit.
  Result<std::optional<Bound>> Bind(
      const std::vector<const Shape*>& shapes) const;

 private:
  // Labels of one operand; '.' stands for an ellipsis.
  std::vector<std::string> terms_;
  std::string output_;
};

}  // namespace mete
