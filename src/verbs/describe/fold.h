// Constant folding of small tensors: the shape arithmetic that exporters leave
// in networks (Shape, Gather, Mul, Concat, Reshape).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "describe/node_view.h"

namespace mete {

// Number of elements of a known shape if it is at most kMaxContent.
std::optional<size_t> SmallCount(const std::optional<Shape>& shape);

// Distance between neighbouring elements along each axis, row-major.
std::vector<size_t> ComputeStrides(const Shape& shape);

// The position along each axis of the element at `index`.
std::vector<size_t> ToPosition(size_t index, const Shape& shape);

// Fills output `output` with the elements of input `input` at the indices in
// `source`. CHECKs that there are as many as the output has elements.
void FoldByPlaces(NodeView& view, size_t input, size_t output,
                  const std::vector<size_t>& source);

// Whether input 0 has known content and output 0 is small enough.
bool CanFold(const NodeView& view);

// Returns the index of the element of input 0, which has these strides, that
// becomes the element of output 0 at `position`.
using PlaceFor = std::function<size_t(const std::vector<size_t>& position,
                                      const std::vector<size_t>& strides)>;
// Fills output 0 with elements of input 0. Requires CanFold.
void FoldByPosition(NodeView& view, const PlaceFor& place_for);

// For each element of `to`, the index of the element of `from` that numpy's
// broadcasting puts there. Both shapes must be known, and `from` must broadcast
// to `to`.
std::vector<size_t> BroadcastPlaces(const Shape& from, const Shape& to);

// Arithmetic, comparison and logic of two operands by operator name. Absent
// when undefined (division by zero, overflow) or when the operator is not
// folded.
std::optional<int64_t> Combine(std::string_view op, int64_t a, int64_t b);
std::optional<double> Combine(std::string_view op, double a, double b);
// Less, Equal, …: absent for operators that are not comparisons.
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
