// Signal processing: Fourier transforms and their windows.
#include <fmt/format.h>

#include <bit>

#include "describe/operator_rules.h"

namespace mete {
namespace {

ElementType StatedType(const Node& node, std::string_view attribute) {
  int64_t number = node.Integer(attribute, 1);
  return number > 0 && number < 64 ? static_cast<ElementType>(number)
                                   : ElementType::kFloat;
}

Status Windowing(NodeView& view) {  // HannWindow, HammingWindow, …
  Dimension size;
  if (auto stated = view.InScalar(0)) {
    ASSIGN_OR_RETURN(size, DimensionFrom(*stated));
  }
  view.Set(0, StatedType(view.node(), "output_datatype"), Shape{size});
  return {};
}

// One-sided transforms of n points keep n / 2 + 1 of them.
Dimension Kept(const Dimension& points, bool one_sided) {
  if (!points.size || !one_sided) return points;
  return {.size = *points.size / 2 + 1};
}

Status Transforming(NodeView& view) {  // DFT
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  if (input->size() < 2) {
    return Contradiction(
        fmt::format("{} cannot be transformed", FormatShape(*input)));
  }
  // The axis became an input in operator set 20.
  int64_t stated = view.node().Integer("axis", view.Has(2) ? 0 : 1);
  if (view.Has(2)) {
    auto scalar = view.InScalar(2);
    if (!scalar) {
      view.Set(0, view.In(0).type, OpenShape(input->size()));
      return {};
    }
    stated = *scalar;
  }
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(stated, input->size()));
  Shape shape = *input;
  if (view.Has(1)) {
    shape[axis] = Dimension{};
    if (auto length = view.InScalar(1)) {
      ASSIGN_OR_RETURN(shape[axis], DimensionFrom(*length));
    }
  }
  shape[axis] = Kept(shape[axis], view.node().Integer("onesided", 0) != 0);
  shape.back() = Dimension{.size = 2};
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

// A fast transform takes about 5 n log2 n operations, so each of the n complex
// results counts as 5 log2 of the longest axis.
Cost CostOfTransform(const NodeView& view) {
  const auto& shape = view.Out(0).shape;
  if (!shape) return {.cost_class = kOther, .flops = Amount::Open()};
  uint64_t longest = 1;
  for (const Dimension& size : *shape) {
    if (!size.size) return {.cost_class = kOther, .flops = Amount::Open()};
    longest = std::max(longest, static_cast<uint64_t>(*size.size));
  }
  auto levels = static_cast<uint64_t>(std::bit_width(longest - 1));
  Amount results = ComputeSize(*shape, 0, shape->size() - 1);
  return {.cost_class = kOther, .flops = results * (levels * 5)};
}

Status TransformingFrames(NodeView& view) {  // STFT
  view.Set(0, view.In(0).type, OpenShape(4));
  const Shape* signal = view.InShape(0);
  auto step = view.InScalar(1);
  Dimension frame;
  const Shape* window = view.InShape(2);
  if (window != nullptr && window->size() == 1) frame = (*window)[0];
  if (auto length = view.InScalar(3)) {
    ASSIGN_OR_RETURN(frame, DimensionFrom(*length));
  }
  Shape shape = OpenShape(4);
  shape[3] = Dimension{.size = 2};
  shape[2] = Kept(frame, view.node().Integer("onesided", 1) != 0);
  if (signal != nullptr && signal->size() >= 2) {
    shape[0] = (*signal)[0];
    if ((*signal)[1].size && frame.size && step) {
      if (*step < 1 || *frame.size > *(*signal)[1].size) {
        return Contradiction(fmt::format("frames of {} every {} do not fit {}",
                                         *frame.size, *step,
                                         *(*signal)[1].size));
      }
      shape[1].size = (*(*signal)[1].size - *frame.size) / *step + 1;
    }
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status WeightingMel(NodeView& view) {  // MelWeightMatrix
  Shape shape = OpenShape(2);
  if (auto points = view.InScalar(1)) {
    ASSIGN_OR_RETURN(shape[0], DimensionFrom(Wide{*points} / 2 + 1));
  }
  if (auto bins = view.InScalar(0)) {
    ASSIGN_OR_RETURN(shape[1], DimensionFrom(*bins));
  }
  view.Set(0, StatedType(view.node(), "output_datatype"), std::move(shape));
  return {};
}

constexpr OperatorRule kSignalRules[] = {
    {"HannWindow", Windowing, OnePerElement},
    {"HammingWindow", Windowing, OnePerElement},
    {"BlackmanWindow", Windowing, OnePerElement},
    {"DFT", Transforming, CostOfTransform},
    {"STFT", TransformingFrames, CostOfTransform},
    {"MelWeightMatrix", WeightingMel, OnePerElement},
};

}  // namespace

std::span<const OperatorRule> SignalRules() { return kSignalRules; }

}  // namespace mete
