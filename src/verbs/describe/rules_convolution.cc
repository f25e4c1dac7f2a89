// Convolutions: plain, transposed, deformable and quantized; one to three axes.
#include <fmt/format.h>

#include "describe/operator_rules.h"
#include "describe/window.h"

namespace mete {
namespace {

// Positions of the operands among the inputs.
struct ConvolutionOperands {
  size_t weight = 1;
  size_t bias = 2;
};

ConvolutionOperands FindConvolutionOperands(const Node& node) {
  if (node.op == "QLinearConv") return {.weight = 3, .bias = 8};
  // ConvInteger's third input is a zero point, DeformConv's an offset.
  if (node.op == "ConvInteger") return {.weight = 1, .bias = SIZE_MAX};
  if (node.op == "DeformConv") return {.weight = 1, .bias = 3};
  return {};
}

ElementType ConvolutionOutputType(const NodeView& view) {
  if (view.node().op == "ConvInteger") return ElementType::kInt32;
  if (view.node().op == "QLinearConv") return view.In(7).type;
  return view.In(0).type;
}

// Input and weight have one axis for batch or filters, one for channels, and
// the same number of spatial axes.
Status CheckRanks(const Shape& input, const Shape& weight) {
  if (weight.size() < 3 || input.size() != weight.size()) {
    return Contradiction(fmt::format("input {} does not match weight {}",
                                     FormatShape(input), FormatShape(weight)));
  }
  return {};
}

Result<int64_t> ReadGroups(const Node& node) {
  int64_t groups = node.Integer("group", 1);
  if (groups < 1) return Contradiction(fmt::format("group is {}", groups));
  return groups;
}

Result<std::vector<Dimension>> ReadKernel(const Node& node,
                                          const Shape& weight) {
  auto stated = KernelAttribute(node);
  std::vector<Dimension> kernel(weight.begin() + 2, weight.end());
  if (!stated) return kernel;
  if (stated->size() != kernel.size()) {
    return Contradiction(fmt::format("kernel_shape {} does not match weight {}",
                                     FormatShape(*stated),
                                     FormatShape(weight)));
  }
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (kernel[i].size && kernel[i].size != (*stated)[i].size) {
      return Contradiction(
          fmt::format("kernel_shape {} does not match weight {}",
                      FormatShape(*stated), FormatShape(weight)));
    }
  }
  return *std::move(stated);
}

Status CheckChannels(const Dimension& channels, const Dimension& per_group,
                     int64_t groups) {
  if (!channels.size || !per_group.size) return {};
  if (Wide{*per_group.size} * groups != *channels.size) {
    return Contradiction(
        fmt::format("input of {} channels, weight for {} in {} groups",
                    *channels.size, *per_group.size, groups));
  }
  return {};
}

Status Convolving(NodeView& view) {
  const Shape* weight =
      view.InShape(FindConvolutionOperands(view.node()).weight);
  const Shape* input = view.InShape(0);
  view.Set(0, ConvolutionOutputType(view), std::nullopt);
  if (weight == nullptr || view.node().Integer("channels_last", 0) != 0) {
    return {};
  }
  Shape unknown = OpenShape(weight->size());
  if (input == nullptr) input = &unknown;
  RETURN_IF_ERROR(CheckRanks(*input, *weight));
  ASSIGN_OR_RETURN(int64_t groups, ReadGroups(view.node()));
  RETURN_IF_ERROR(CheckChannels((*input)[1], (*weight)[1], groups));
  const Dimension& filters = (*weight)[0];
  if (filters.size && *filters.size % groups != 0) {
    return Contradiction(fmt::format(
        "{} filters cannot be divided into {} groups", *filters.size, groups));
  }
  ASSIGN_OR_RETURN(auto kernel, ReadKernel(view.node(), *weight));
  ASSIGN_OR_RETURN(Window window, Window::Of(view.node(), std::move(kernel)));
  ASSIGN_OR_RETURN(Shape spatial, window.SlideAll(*input));
  Shape shape = {(*input)[0], filters};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  view.Set(0, ConvolutionOutputType(view), std::move(shape));
  return {};
}

Cost CostOfConvolution(const NodeView& view) {
  ConvolutionOperands operands = FindConvolutionOperands(view.node());
  const Shape* weight = view.InShape(operands.weight);
  if (weight == nullptr) {
    return MultiplyAdds(kConv, Amount::Open(), uint64_t{0});
  }
  Amount outputs = CountElements(view.Out(0));
  // Every output element uses one filter: channels per group x kernel.
  Amount macs = outputs * ComputeSize(*weight, 1, weight->size());
  const Shape* input = view.InShape(0);
  int64_t groups = view.node().Integer("group", 1);
  bool depthwise = groups > 1 && input != nullptr && input->size() > 1 &&
                   (*input)[1].size == groups;
  return MultiplyAdds(depthwise ? kDepthwise : kConv, macs,
                      view.Has(operands.bias) ? outputs : uint64_t{0});
}

// output_shape may list only the spatial sizes, or all sizes.
std::optional<Shape> StatedOutput(const Node& node, size_t axes) {
  std::vector<int64_t> stated = node.Integers("output_shape");
  if (stated.size() < axes || axes == 0) return std::nullopt;
  return KnownShape(
      {stated.end() - static_cast<ptrdiff_t>(axes), stated.end()});
}

Result<Shape> SpreadAll(const Node& node, const Window& window,
                        const Shape& input) {
  size_t axes = window.kernel().size();
  if (auto stated = StatedOutput(node, axes)) return *std::move(stated);
  std::vector<int64_t> extra = node.Integers("output_padding");
  if (extra.empty()) extra.assign(axes, 0);
  if (extra.size() != axes) {
    return Contradiction(fmt::format(
        "output_padding has {} numbers for {} axes", extra.size(), axes));
  }
  Shape spatial;
  for (size_t i = 0; i < axes; ++i) {
    ASSIGN_OR_RETURN(Dimension size, window.Spread(i, input[i + 2], extra[i]));
    spatial.push_back(size);
  }
  return spatial;
}

Status Transposed(NodeView& view) {
  const Shape* weight = view.InShape(1);
  const Shape* input = view.InShape(0);
  view.Set(0, view.In(0).type, std::nullopt);
  if (weight == nullptr) return {};
  Shape unknown = OpenShape(weight->size());
  if (input == nullptr) input = &unknown;
  RETURN_IF_ERROR(CheckRanks(*input, *weight));
  ASSIGN_OR_RETURN(int64_t groups, ReadGroups(view.node()));
  RETURN_IF_ERROR(CheckChannels((*input)[1], (*weight)[0], 1));
  const Dimension& channels = (*weight)[0];
  if (channels.size && *channels.size % groups != 0) {
    return Contradiction(
        fmt::format("{} channels cannot be divided into {} groups",
                    *channels.size, groups));
  }
  ASSIGN_OR_RETURN(auto kernel, ReadKernel(view.node(), *weight));
  ASSIGN_OR_RETURN(Window window, Window::Of(view.node(), std::move(kernel)));
  ASSIGN_OR_RETURN(Shape spatial, SpreadAll(view.node(), window, *input));
  Dimension filters;
  if ((*weight)[1].size) {
    ASSIGN_OR_RETURN(filters, DimensionFrom(Wide{*(*weight)[1].size} * groups));
  }
  Shape shape = {(*input)[0], filters};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Cost CostOfTransposed(const NodeView& view) {
  const Shape* weight = view.InShape(1);
  const Shape* input = view.InShape(0);
  if (weight == nullptr || input == nullptr) {
    return MultiplyAdds(kConv, Amount::Open(), uint64_t{0});
  }
  // Every input element contributes to filters per group x kernel.
  Amount macs =
      CountElements(view.In(0)) * ComputeSize(*weight, 1, weight->size());
  int64_t groups = view.node().Integer("group", 1);
  bool depthwise =
      groups > 1 && input->size() > 1 && (*input)[1].size == groups;
  return MultiplyAdds(depthwise ? kDepthwise : kConv, macs,
                      view.Has(2) ? CountElements(view.Out(0)) : uint64_t{0});
}

constexpr OperatorRule kConvolutionRules[] = {
    {"Conv", Convolving, CostOfConvolution},
    {"FusedConv", Convolving, CostOfConvolution},
    {"ConvInteger", Convolving, CostOfConvolution},
    {"QLinearConv", Convolving, CostOfConvolution},
    {"DeformConv", Convolving, CostOfConvolution},
    {"ConvTranspose", Transposed, CostOfTransposed},
};

}  // namespace

std::span<const OperatorRule> ConvolutionRules() { return kConvolutionRules; }

}  // namespace mete
