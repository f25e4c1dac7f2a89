// Quantization and the element-wise operators of quantized networks.
#include "describe/operator_rules.h"

namespace mete {
namespace {

Status Quantizing(NodeView& view) {  // QuantizeLinear
  ElementType type = ElementType::kUint8;
  int64_t stated = view.node().Integer("output_dtype", 0);
  if (view.Has(2)) {
    type = view.In(2).type;
  } else if (stated > 0 && stated < 64) {
    type = static_cast<ElementType>(stated);
  }
  view.Set(0, type, view.In(0).shape);
  return {};
}

Status Dequantizing(NodeView& view) {  // DequantizeLinear
  ElementType type = view.In(1).type;
  if (type == ElementType::kUndefined) type = ElementType::kFloat;
  view.Set(0, type, view.In(0).shape);
  return {};
}

Status QuantizingByRange(NodeView& view) {  // DynamicQuantizeLinear
  view.Set(0, ElementType::kUint8, view.In(0).shape);
  view.Set(1, ElementType::kFloat, Shape{});
  view.Set(2, ElementType::kUint8, Shape{});
  return {};
}

// A and B are inputs 0 and 3, each followed by its scale and zero point.
Status Broadcasting(NodeView& view) {  // QLinearAdd, QLinearMul
  ASSIGN_OR_RETURN(auto shape, BroadcastInputs(view, {0, 3}));
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status Selecting(NodeView& view) {  // QLinearWhere
  ASSIGN_OR_RETURN(auto shape, BroadcastInputs(view, {0, 1, 4}));
  view.Set(0, view.In(1).type, std::move(shape));
  return {};
}

// Rescales both operands and the result: two operations each.
constexpr OperatorRule kQuantizedRules[] = {
    {"QuantizeLinear", Quantizing, ElementwiseCost<3>},
    {"DequantizeLinear", Dequantizing, ElementwiseCost<2>},
    {"DynamicQuantizeLinear", QuantizingByRange, ElementwiseCost<5>},
    {"QLinearAdd", Broadcasting, ElementwiseCost<7>},
    {"QLinearMul", Broadcasting, ElementwiseCost<7>},
    {"QLinearSigmoid", SameAsFirst, ElementwiseCost<8>},
    {"QLinearLeakyRelu", SameAsFirst, ElementwiseCost<6>},
    {"QLinearWhere", Selecting, ElementwiseCost<1>},
};

}  // namespace

std::span<const OperatorRule> QuantizedRules() { return kQuantizedRules; }

}  // namespace mete
