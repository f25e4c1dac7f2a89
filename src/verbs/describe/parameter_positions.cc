#include "describe/parameter_positions.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

namespace mete {
namespace {

bool IsFloating(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kDouble:
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
      return true;
    default:
      return false;
  }
}

// Types of quantized weights, and of the biases beside them (int32).
bool IsQuantized(ElementType type) {
  return type == ElementType::kInt8 || type == ElementType::kUint8 ||
         type == ElementType::kInt4 || type == ElementType::kUint4 ||
         type == ElementType::kInt16 || type == ElementType::kUint16 ||
         type == ElementType::kInt32;
}

using Positions = std::vector<size_t>;
using PositionTable = std::map<std::string_view, Positions, std::less<>>;

bool ListsPosition(const PositionTable& table, std::string_view op,
                   size_t input) {
  auto found = table.find(op);
  return found != table.end() &&
         std::ranges::find(found->second, input) != found->second.end();
}

// Operators on quantized values: their other inputs are scales and zero points.
const PositionTable& QuantizedPositions() {
  static const PositionTable table = {
      {"ConvInteger", {1}},
      {"QLinearConv", {3, 8}},
      {"MatMulInteger", {0, 1}},
      {"QLinearMatMul", {0, 3}},
      {"QGemm", {0, 3, 6}},
      {"MatMulIntegerToFloat", {0, 1, 6}},
      {"DynamicQuantizeMatMul", {1, 4}},
      {"DynamicQuantizeLSTM", {1, 2, 3, 7}},
      {"MatMulNBits", {1, 5}},
      {"QAttention", {1, 2}},
      {"QLinearAdd", {0, 3}},
      {"QLinearMul", {0, 3}},
  };
  return table;
}

// Inputs that hold settings or statistics rather than learned values.
const PositionTable& SettingPositions() {
  static const PositionTable table = {
      {"BatchNormalization", {3, 4}},  // running mean and variance
      {"Clip", {1, 2}},
      {"Resize", {1, 2, 3}},
      {"Upsample", {1}},
      {"Pad", {1, 2, 3}},
      {"Pow", {1}},
      {"Dropout", {1, 2}},
      {"LSTM", {4, 5, 6}},  // lengths and initial states
      {"GRU", {4, 5}},
      {"RNN", {4, 5}},
      {"QuantizeLinear", {1, 2}},
      {"DequantizeLinear", {1, 2}},
      {"RoiAlign", {1, 2}},
      {"MaxRoiPool", {1}},
      {"GroupQueryAttention", {7, 8}},  // tables of sines and cosines
      {"RotaryEmbedding", {1, 2, 3}},
  };
  return table;
}

bool IsOneOf(std::string_view op,
             std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, op) != names.end();
}

// Operators whose constant inputs are never learned.
bool TakesOnlySettings(std::string_view op) {
  return op.starts_with("Random") || op.starts_with("Reduce") ||
         op.starts_with("Sequence") ||
         IsOneOf(op, {"OneHot",
                      "Range",
                      "ConstantOfShape",
                      "Equal",
                      "Less",
                      "LessOrEqual",
                      "Greater",
                      "GreaterOrEqual",
                      "Mod",
                      "STFT",
                      "DFT",
                      "MelWeightMatrix",
                      "NonMaxSuppression",
                      "TopK",
                      "CumSum",
                      "Trilu",
                      "Loop",
                      "If",
                      "Shape",
                      "Size",
                      "IsNaN",
                      "IsInf",
                      "HannWindow",
                      "HammingWindow"});
}

// Operators of formulas. A number written in a formula is a scalar.
bool IsArithmetic(std::string_view op) {
  return IsOneOf(
      op, {"Add", "Sub", "Mul", "Div", "Min", "Max", "Where", "Sum", "Mean"});
}

}  // namespace

std::optional<size_t> FindConvolutionWeight(const Node& node) {
  if (node.op == "QLinearConv") return 3;
  if (IsOneOf(node.op, {"Conv", "ConvTranspose", "FusedConv", "ConvInteger",
                        "DeformConv", "NhwcConv", "NhwcFusedConv"})) {
    return 1;
  }
  return std::nullopt;
}

bool IsMatrixProduct(const Node& node) {
  return IsOneOf(node.op,
                 {"Gemm", "FusedGemm", "QGemm", "MatMul", "FusedMatMul",
                  "MatMulInteger", "QLinearMatMul", "MatMulIntegerToFloat",
                  "DynamicQuantizeMatMul", "MatMulNBits"});
}

bool IsMatrixFactor(const Node& node, size_t input) {
  if (!IsMatrixProduct(node)) return false;
  if (node.op == "QLinearMatMul" || node.op == "QGemm") {
    return input == 0 || input == 3;
  }
  return input < 2;
}

bool PassesOn(const Node& node, size_t input) {
  if (node.op == "Concat") return true;
  return input == 0 &&
         IsOneOf(node.op,
                 {"Identity", "Cast", "CastLike", "Transpose", "Reshape",
                  "Flatten", "Squeeze", "Unsqueeze", "Slice", "Split", "Expand",
                  "Tile", "Gather", "DequantizeLinear", "QuantizeLinear"});
}

bool IsParameter(const Node& node, size_t input, const Constant& constant) {
  if (QuantizedPositions().contains(node.op)) {
    return ListsPosition(QuantizedPositions(), node.op, input);
  }
  if (TakesOnlySettings(node.op)) return false;
  if (ListsPosition(SettingPositions(), node.op, input)) return false;
  if (IsArithmetic(node.op) && constant.sizes.empty()) return false;
  if (IsFloating(constant.type)) return true;
  // Dequantized weights and biases, and quantized tables of embeddings.
  bool weighs = FindConvolutionWeight(node) || IsMatrixProduct(node) ||
                node.op == "Gather" || node.op == "LSTM" || node.op == "GRU" ||
                node.op == "RNN" || IsArithmetic(node.op);
  return weighs && IsQuantized(constant.type) && !constant.sizes.empty();
}

}  // namespace mete
