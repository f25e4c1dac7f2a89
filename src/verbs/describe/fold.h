// Computing small contents ahead of time: the shape arithmetic that exporters
// leave in networks (Shape, Gather, Mul, Concat, Reshape).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "describe/node_view.h"

namespace mete {

// Elements of a known shape when there are at most kMaxContent.
std::optional<size_t> SmallCount(const std::optional<Shape>& shape);

// Steps from element to element along each axis, row-major.
std::vector<size_t> ComputeStrides(const Shape& shape);

// The position along each axis of the element at `index`.
std::vector<size_t> ToPosition(size_t index, const Shape& shape);

// Gives output `output` the elements of input `input` that `source` names by
// their place; CHECKs that there are as many as the output has elements.
void FoldByPlaces(NodeView& view, size_t input, size_t output,
                  const std::vector<size_t>& source);

// Whether input 0 has content and output 0 has room for few elements.
bool CanFold(const NodeView& view);

// The place of an element of input 0, by its strides, for the element of output
// 0 at `position`.
using PlaceFor = std::function<size_t(const std::vector<size_t>& position,
                                      const std::vector<size_t>& strides)>;
// Gives output 0 elements of input 0. Only where CanFold.
void FoldByPosition(NodeView& view, const PlaceFor& place_for);

// For each element of `to`, the place of the element of `from` that numpy's
// broadcasting puts there. Both shapes are known, `from` stretches to `to`.
std::vector<size_t> BroadcastPlaces(const Shape& from, const Shape& to);

// Two-operand arithmetic, comparison and logic by operator name. Absent: not
// defined (division by zero, overflow) or not an operator we fold.
std::optional<int64_t> Combine(std::string_view op, int64_t a, int64_t b);
std::optional<double> Combine(std::string_view op, double a, double b);
// Less, Equal, …: absent for operators that are no comparison.
template <typename T>
std::optional<bool> Compare(std::string_view op, T a, T b) {
  if (op == "Equal") return a == b;
  if (op == "Less") return a < b;
  if (op == "LessOrEqual") return a <= b;
  if (op == "Greater") return a > b;
  if (op == "GreaterOrEqual") return a >= b;
  return std::nullopt;
}

}  // namespace mete
