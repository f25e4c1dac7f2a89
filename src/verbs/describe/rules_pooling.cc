// Pools: over sliding windows, over all spatial axes, over regions.
#include <fmt/format.h>

#include "describe/operator_rules.h"
#include "describe/window.h"

namespace mete {
namespace {

ElementType ReadType(const NodeView& view) { return view.In(0).type; }

Status Pooling(NodeView& view) {
  const Shape* input = view.InShape(0);
  auto kernel = KernelAttribute(view.node());
  if (!kernel) return Contradiction("a pool has no kernel_shape");
  Shape unknown = OpenShape(kernel->size() + 2);
  if (input == nullptr) input = &unknown;
  if (view.node().Integer("channels_last", 0) != 0) return {};
  if (input->size() != kernel->size() + 2) {
    return Contradiction(fmt::format("a kernel of {} axes does not match {}",
                                     kernel->size(), FormatShape(*input)));
  }
  ASSIGN_OR_RETURN(Window window, Window::Of(view.node(), *kernel));
  ASSIGN_OR_RETURN(Shape spatial, window.SlideAll(*input));
  Shape shape = {(*input)[0], (*input)[1]};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  view.Set(1, ElementType::kInt64, shape);
  view.Set(0, ReadType(view), std::move(shape));
  return {};
}

// One comparison or addition per element under the window.
Cost CostOfPool(const NodeView& view) {
  auto kernel = KernelAttribute(view.node());
  Amount size =
      kernel ? ComputeSize(*kernel, 0, kernel->size()) : Amount::Open();
  return {.cost_class = kPool, .flops = CountElements(view.Out(0)) * size};
}

Status GlobalPooling(NodeView& view) {
  const Shape* input = view.InShape(0);
  view.Set(0, ReadType(view), std::nullopt);
  if (input == nullptr) return {};
  if (input->size() < 2) {
    return Contradiction(
        fmt::format("the input {} has too few axes", FormatShape(*input)));
  }
  Shape shape = *input;
  bool last = view.node().Integer("channels_last", 0) != 0;
  size_t begin = last ? 1 : 2;
  size_t end = last ? shape.size() - 1 : shape.size();
  for (size_t i = begin; i < end; ++i) shape[i] = Dimension{.size = 1};
  view.Set(0, ReadType(view), std::move(shape));
  return {};
}

Cost CostOfGlobalPool(const NodeView& view) {
  return {.cost_class = kPool, .flops = CountElements(view.In(0))};
}

// [regions, channels, height, width].
Status PoolRegions(NodeView& view, const Dimension& height,
                   const Dimension& width) {
  Shape shape = OpenShape(4);
  if (const Shape* input = view.InShape(0)) {
    if (input->size() != 4) {
      return Contradiction(fmt::format("the input {} does not have four axes",
                                       FormatShape(*input)));
    }
    shape[1] = (*input)[1];
  }
  const Shape* regions = view.InShape(1);
  if (regions != nullptr && !regions->empty()) shape[0] = (*regions)[0];
  shape[2] = height;
  shape[3] = width;
  view.Set(0, ReadType(view), std::move(shape));
  return {};
}

Status PoolingRegions(NodeView& view) {  // MaxRoiPool
  std::vector<int64_t> sizes = view.node().Integers("pooled_shape");
  if (sizes.size() != 2) return Contradiction("a pool has no pooled_shape");
  ASSIGN_OR_RETURN(Dimension height, DimensionFrom(sizes[0]));
  ASSIGN_OR_RETURN(Dimension width, DimensionFrom(sizes[1]));
  return PoolRegions(view, height, width);
}

Status AligningRegions(NodeView& view) {  // RoiAlign
  ASSIGN_OR_RETURN(Dimension height,
                   DimensionFrom(view.node().Integer("output_height", 1)));
  ASSIGN_OR_RETURN(Dimension width,
                   DimensionFrom(view.node().Integer("output_width", 1)));
  return PoolRegions(view, height, width);
}

// Bilinear samples of four products each. sampling_ratio 0 means "as many as
// the region needs", which counts as one.
Cost CostOfAligning(const NodeView& view) {
  auto ratio = static_cast<uint64_t>(
      std::max<int64_t>(1, view.node().Integer("sampling_ratio", 0)));
  return {.cost_class = kPool,
          .flops = CountElements(view.Out(0)) *
                   (Amount(ratio) * Amount(ratio)) * uint64_t{8}};
}

Cost CostOfRegions(const NodeView& view) {
  return {.cost_class = kPool, .flops = CountElements(view.In(0))};
}

Status Unpooling(NodeView& view) {  // MaxUnpool
  view.Set(0, ReadType(view), std::nullopt);
  const Shape* input = view.InShape(0);
  auto kernel = KernelAttribute(view.node());
  if (view.Has(2)) {
    if (auto sizes = view.InIntegers(2)) {
      view.Set(0, ReadType(view), KnownShape(*sizes));
    }
    return {};
  }
  if (input == nullptr || !kernel || input->size() != kernel->size() + 2) {
    return {};
  }
  ASSIGN_OR_RETURN(Window window, Window::Of(view.node(), *kernel));
  Shape shape = {(*input)[0], (*input)[1]};
  for (size_t i = 0; i < kernel->size(); ++i) {
    ASSIGN_OR_RETURN(Dimension size, window.Spread(i, (*input)[i + 2], 0));
    shape.push_back(size);
  }
  view.Set(0, ReadType(view), std::move(shape));
  return {};
}

constexpr OperatorRule kPoolingRules[] = {
    {"MaxPool", Pooling, CostOfPool},
    {"AveragePool", Pooling, CostOfPool},
    {"LpPool", Pooling, CostOfPool},
    {"QLinearAveragePool", Pooling, CostOfPool},
    {"GlobalAveragePool", GlobalPooling, CostOfGlobalPool},
    {"GlobalMaxPool", GlobalPooling, CostOfGlobalPool},
    {"GlobalLpPool", GlobalPooling, CostOfGlobalPool},
    {"QLinearGlobalAveragePool", GlobalPooling, CostOfGlobalPool},
    {"MaxRoiPool", PoolingRegions, CostOfRegions},
    {"RoiAlign", AligningRegions, CostOfAligning},
    {"MaxUnpool", Unpooling, Movement},
};

}  // namespace

std::span<const OperatorRule> PoolingRules() { return kPoolingRules; }

}  // namespace mete
