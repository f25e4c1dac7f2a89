// Which inputs of an operator hold learned values, and which operators only
// move or convert the values they read.
#pragma once

#include <cstddef>
#include <optional>

#include "domain/graph.h"

namespace mete {

// The position of the weight among the inputs of a convolution. Absent for
// other operators.
std::optional<size_t> FindConvolutionWeight(const Node& node);

// True for products with a matrix: Gemm, MatMul and their fused and quantized
// forms.
bool IsMatrixProduct(const Node& node);
// True for the factors of a matrix product (not its bias, scales and zero
// points).
bool IsMatrixFactor(const Node& node, size_t input);

// True if the output holds the values of this input, moved, copied or
// converted: Transpose, Cast, DequantizeLinear, …
bool PassesOn(const Node& node, size_t input);

// True if a constant of this type and rank is a parameter when `node` reads it
// there.
bool IsParameter(const Node& node, size_t input, const Constant& constant);

}  // namespace mete
