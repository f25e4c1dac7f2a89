// Reductions over axes: sums, extremes and their indices, running sums.
#include <fmt/format.h>

#include <algorithm>

#include "describe/fold.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

// Which axes are reduced. Absent when they are an input of unknown content.
Result<std::optional<std::vector<bool>>> ReducedAxes(const NodeView& view,
                                                     size_t rank,
                                                     size_t axes_input) {
  IntegerList axes = view.List("axes", axes_input);
  std::vector<bool> reduced(rank, false);
  if (axes.state == IntegerList::State::kUnknown) {
    return std::optional<std::vector<bool>>();
  }
  if (axes.values.empty()) {
    // An empty list means all axes, unless the node says that it means none.
    bool none = view.node().Integer("noop_with_empty_axes", 0) != 0;
    reduced.assign(rank, !none);
  }
  for (int64_t axis : axes.values) {
    ASSIGN_OR_RETURN(size_t place, NormalizeAxis(axis, rank));
    reduced[place] = true;
  }
  return std::optional<std::vector<bool>>(std::move(reduced));
}

Shape Reduced(const Shape& input, const std::vector<bool>& axes, bool kept) {
  Shape shape;
  for (size_t i = 0; i < input.size(); ++i) {
    if (!axes[i]) {
      shape.push_back(input[i]);
    } else if (kept) {
      shape.push_back(Dimension{.size = 1});
    }
  }
  return shape;
}

Status ReduceAt(NodeView& view, size_t axes_input) {
  view.Set(0, view.In(0).type, std::nullopt);
  bool kept = view.node().Integer("keepdims", 1) != 0;
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(auto axes, ReducedAxes(view, input->size(), axes_input));
  if (axes) {
    view.Set(0, view.In(0).type, Reduced(*input, *axes, kept));
  } else if (kept) {
    view.Set(0, view.In(0).type, OpenShape(input->size()));
  }
  return {};
}

Status Reducing(NodeView& view) { return ReduceAt(view, 1); }

Status ReducingQuantized(NodeView& view) { return ReduceAt(view, SIZE_MAX); }

template <uint64_t kOperations>
Cost PerInput(const NodeView& view) {
  return {.cost_class = kReduction,
          .flops = CountElements(view.In(0)) * kOperations};
}

Cost CostOfMean(const NodeView& view) {
  return {.cost_class = kReduction,
          .flops = CountElements(view.In(0)) + CountElements(view.Out(0))};
}

// Shape arithmetic reduces only whole vectors.
void FoldReduce(NodeView& view) {
  auto content = view.InIntegers(0);
  if (!content || content->empty() || SmallCount(view.Out(0).shape) != 1u) {
    return;
  }
  std::string_view op = view.node().op;
  std::string_view combining = op == "ReduceProd"  ? "Mul"
                               : op == "ReduceSum" ? "Add"
                               : op == "ReduceMax" ? "Max"
                                                   : "Min";
  std::optional<int64_t> total = content->front();
  for (size_t i = 1; i < content->size() && total; ++i) {
    total = Combine(combining, *total, (*content)[i]);
  }
  view.SetIntegers(0, {total});
}

Status FindingExtreme(NodeView& view) {  // ArgMax, ArgMin
  view.Set(0, ElementType::kInt64, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", 0),
                                              input->size()));
  std::vector<bool> axes(input->size(), false);
  axes[axis] = true;
  bool kept = view.node().Integer("keepdims", 1) != 0;
  view.Set(0, ElementType::kInt64, Reduced(*input, axes, kept));
  return {};
}

Status TakingTop(NodeView& view) {  // TopK
  const Shape* input = view.InShape(0);
  view.Set(0, view.In(0).type, std::nullopt);
  view.Set(1, ElementType::kInt64, std::nullopt);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", -1),
                                              input->size()));
  IntegerList count = view.List("k", 1);
  Shape shape = *input;
  shape[axis] = Dimension{};
  if (count.known() && count.values.size() == 1) {
    ASSIGN_OR_RETURN(shape[axis], DimensionFrom(count.values[0]));
    if ((*input)[axis].size && *shape[axis].size > *(*input)[axis].size) {
      return Contradiction(fmt::format("cannot take the top {} of {}",
                                       *shape[axis].size,
                                       *(*input)[axis].size));
    }
  }
  view.Set(0, view.In(0).type, shape);
  view.Set(1, ElementType::kInt64, std::move(shape));
  return {};
}

constexpr OperatorRule kReductionRules[] = {
    {"ReduceSum", Reducing, PerInput<1>, FoldReduce},
    {"ReduceProd", Reducing, PerInput<1>, FoldReduce},
    {"ReduceMax", Reducing, PerInput<1>, FoldReduce},
    {"ReduceMin", Reducing, PerInput<1>, FoldReduce},
    {"ReduceMean", Reducing, CostOfMean},
    {"ReduceL1", Reducing, PerInput<2>},
    {"ReduceL2", Reducing, PerInput<2>},
    {"ReduceSumSquare", Reducing, PerInput<2>},
    {"ReduceLogSum", Reducing, PerInput<1>},
    {"ReduceLogSumExp", Reducing, PerInput<2>},
    {"QLinearReduceMean", ReducingQuantized, CostOfMean},
    {"ArgMax", FindingExtreme, PerInput<1>},
    {"ArgMin", FindingExtreme, PerInput<1>},
    {"TopK", TakingTop, PerInput<1>},
    {"CumSum", SameAsFirst, PerInput<1>},
    {"CumProd", SameAsFirst, PerInput<1>},
};

}  // namespace

std::span<const OperatorRule> ReductionRules() { return kReductionRules; }

}  // namespace mete
