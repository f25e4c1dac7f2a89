// Operators that create values from shapes, attributes or a few numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "describe/constant_value.h"
#include "describe/fold.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

Status Stating(NodeView& view) {  // Constant
  ValueFacts value = ValueOfConstantNode(view.node());
  if (view.output_count() > 0) view.outputs()[0] = std::move(value);
  return {};
}

Cost Nothing(const NodeView&) { return {.cost_class = kMovement}; }

// [begin, end) of the axes that Shape reports (operator set 15).
std::pair<size_t, size_t> ReportedAxes(const Node& node, size_t rank) {
  auto clamped = [&](int64_t axis) {
    auto signed_rank = static_cast<int64_t>(rank);
    // Clamped before adding, so that no attribute can overflow the sum.
    axis = std::clamp(axis, -signed_rank, signed_rank);
    return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
  };
  size_t begin = clamped(node.Integer("start", 0));
  size_t end =
      node.Find("end") == nullptr ? rank : clamped(node.Integer("end", 0));
  return {begin, std::max(begin, end)};
}

Status Measuring(NodeView& view) {  // Shape
  const Shape* input = view.InShape(0);
  if (input == nullptr) {
    view.Set(0, ElementType::kInt64, OpenShape(1));
    return {};
  }
  auto [begin, end] = ReportedAxes(view.node(), input->size());
  view.Set(0, ElementType::kInt64,
           KnownShape({static_cast<int64_t>(end - begin)}));
  return {};
}

void FoldShape(NodeView& view) {
  const Shape* input = view.InShape(0);
  if (input == nullptr) return;
  auto [begin, end] = ReportedAxes(view.node(), input->size());
  std::vector<std::optional<int64_t>> content;
  for (size_t i = begin; i < end; ++i) content.push_back((*input)[i].size);
  view.SetIntegers(0, std::move(content));
}

Status Counting(NodeView& view) {  // Size
  view.Set(0, ElementType::kInt64, Shape{});
  return {};
}

void FoldSize(NodeView& view) {
  auto count = CountElements(view.In(0)).value();
  if (count) view.SetIntegers(0, {static_cast<int64_t>(*count)});
}

// The shape given by an input's content. Absent when it is unknown. Fails on
// negative sizes.
Result<std::optional<Shape>> ShapeFromContent(const ValueFacts& value) {
  if (!value.integers) {
    // The number of sizes is the rank.
    if (value.shape && value.shape->size() == 1 && (*value.shape)[0].size &&
        *(*value.shape)[0].size <= 64) {
      return std::optional<Shape>(
          OpenShape(static_cast<size_t>(*(*value.shape)[0].size)));
    }
    return std::optional<Shape>();
  }
  Shape shape;
  for (const auto& size : *value.integers) {
    if (size && *size < 0) {
      return Contradiction(fmt::format("a shape has the size {}", *size));
    }
    shape.push_back(Dimension{.size = size});
  }
  return std::optional<Shape>(std::move(shape));
}

const Constant* FindFill(const Node& node) {
  const Attribute* value = node.Find("value");
  return value == nullptr ? nullptr : std::get_if<Constant>(&value->value);
}

Status Filling(NodeView& view) {  // ConstantOfShape
  const Constant* fill = FindFill(view.node());
  ASSIGN_OR_RETURN(auto shape, ShapeFromContent(view.In(0)));
  view.Set(0, fill == nullptr ? ElementType::kFloat : fill->type,
           std::move(shape));
  return {};
}

void FoldFilling(NodeView& view) {
  auto count = SmallCount(view.Out(0).shape);
  if (!count) return;
  const Constant* fill = FindFill(view.node());
  if (fill == nullptr) {
    view.SetReals(0, std::vector<double>(*count, 0));
  } else if (fill->integers.size() == 1) {
    view.SetIntegers(
        0, std::vector<std::optional<int64_t>>(*count, fill->integers[0]));
  } else if (fill->reals.size() == 1) {
    view.SetReals(0, std::vector<double>(*count, fill->reals[0]));
  }
}

// The number of elements of a Range. Absent when its limits are unknown.
Result<std::optional<int64_t>> RangeLength(const NodeView& view) {
  auto real = [&](size_t input) -> std::optional<double> {
    const auto& reals = view.In(input).reals;
    if (reals && reals->size() == 1) return reals->front();
    return std::nullopt;
  };
  auto from = view.InScalar(0);
  auto to = view.InScalar(1);
  auto step = view.InScalar(2);
  if (from && to && step) {
    if (*step == 0) return Contradiction("the step of a range is 0");
    Wide span = Wide{*to} - *from;
    Wide stride = *step;
    if (stride < 0) {
      span = -span;
      stride = -stride;
    }
    Wide length = span <= 0 ? Wide{0} : (span + stride - 1) / stride;
    ASSIGN_OR_RETURN(Dimension size, DimensionFrom(length));
    return size.size;
  }
  auto start = real(0);
  auto limit = real(1);
  auto delta = real(2);
  if (!start || !limit || !delta) return std::optional<int64_t>();
  double length = std::ceil((*limit - *start) / *delta);
  if (!(std::abs(length) < 0x1p62)) {
    return Contradiction("a range is too long");
  }
  return std::optional<int64_t>(static_cast<int64_t>(std::max(0.0, length)));
}

Status Ranging(NodeView& view) {  // Range
  ASSIGN_OR_RETURN(auto length, RangeLength(view));
  if (!length && !view.In(1).constant) view.MarkDataDependent();
  view.Set(0, view.In(0).type, Shape{Dimension{.size = length}});
  return {};
}

void FoldRange(NodeView& view) {
  auto from = view.InScalar(0);
  auto step = view.InScalar(2);
  auto count = SmallCount(view.Out(0).shape);
  if (!from || !step || !count) return;
  std::vector<std::optional<int64_t>> content;
  std::optional<int64_t> value = *from;
  for (size_t i = 0; i < *count; ++i) {
    content.push_back(value);
    if (value) value = Combine("Add", *value, *step);
  }
  view.SetIntegers(0, std::move(content));
}

Status MarkingOne(NodeView& view) {  // OneHot
  const Shape* indices = view.InShape(0);
  view.Set(0, view.In(2).type, std::nullopt);
  if (indices == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", -1),
                                              indices->size() + 1));
  Dimension depth;
  if (auto known = view.InScalar(1)) {
    ASSIGN_OR_RETURN(depth, DimensionFrom(*known));
  } else if (const auto& reals = view.In(1).reals;
             reals && reals->size() == 1 && std::abs(reals->front()) < 1e18) {
    ASSIGN_OR_RETURN(depth,
                     DimensionFrom(static_cast<int64_t>(reals->front())));
  }
  Shape shape = *indices;
  shape.insert(shape.begin() + static_cast<ptrdiff_t>(axis), depth);
  view.Set(0, view.In(2).type, std::move(shape));
  return {};
}

ElementType StatedType(const Node& node, ElementType otherwise) {
  int64_t number = node.Integer("dtype", 0);
  return number > 0 && number < 64 ? static_cast<ElementType>(number)
                                   : otherwise;
}

Status Drawing(NodeView& view) {  // RandomNormal, RandomUniform
  Shape shape;
  for (int64_t stated : view.node().Integers("shape")) {
    ASSIGN_OR_RETURN(Dimension size, DimensionFrom(stated));
    shape.push_back(size);
  }
  view.Set(0, StatedType(view.node(), ElementType::kFloat), std::move(shape));
  return {};
}

Status DrawingLike(NodeView& view) {  // RandomNormalLike, EyeLike, Bernoulli
  view.Set(0, StatedType(view.node(), view.In(0).type), view.In(0).shape);
  return {};
}

Status DrawingClasses(NodeView& view) {  // Multinomial
  Shape shape = OpenShape(2);
  const Shape* input = view.InShape(0);
  if (input != nullptr && !input->empty()) shape[0] = (*input)[0];
  ASSIGN_OR_RETURN(shape[1],
                   DimensionFrom(view.node().Integer("sample_size", 1)));
  view.Set(0, StatedType(view.node(), ElementType::kInt32), std::move(shape));
  return {};
}

constexpr OperatorRule kGeneratingRules[] = {
    {"Constant", Stating, Nothing},
    {"Shape", Measuring, Nothing, FoldShape},
    {"Size", Counting, Nothing, FoldSize},
    {"ConstantOfShape", Filling, Nothing, FoldFilling},
    {"Range", Ranging, OnePerElement, FoldRange},
    {"OneHot", MarkingOne, Movement},
    {"EyeLike", DrawingLike, Nothing},
    {"RandomNormal", Drawing, OnePerElement},
    {"RandomUniform", Drawing, OnePerElement},
    {"RandomNormalLike", DrawingLike, OnePerElement},
    {"RandomUniformLike", DrawingLike, OnePerElement},
    {"Bernoulli", DrawingLike, OnePerElement},
    {"Multinomial", DrawingClasses, OnePerElement},
};

}  // namespace

std::span<const OperatorRule> GeneratingRules() { return kGeneratingRules; }

}  // namespace mete
