// Operators that resample images: Resize, Upsample, GridSample and others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "describe/operator_rules.h"

namespace mete {
namespace {

// Engines multiply in float32. Doing the same keeps 3 x 1.6666666 at 5.
Result<Dimension> Scaled(const Dimension& size, double scale) {
  if (!size.size) return Dimension{};
  float scaled = static_cast<float>(*size.size) * static_cast<float>(scale);
  if (!(scaled >= 0) || scaled > 0x1p62f) {
    return Contradiction(
        fmt::format("{} cannot be scaled by {}", *size.size, scale));
  }
  return DimensionFrom(static_cast<int64_t>(std::floor(scaled)));
}

// Positions of scales and sizes among the inputs. Upsample and the first
// version of Resize have no region.
struct Places {
  size_t scales;
  size_t sizes;
};

Places ReadPlaces(const NodeView& view) {
  if (view.node().op == "Upsample" || view.input_count() == 2) {
    return {.scales = 1, .sizes = SIZE_MAX};
  }
  return {.scales = 2, .sizes = 3};
}

// The axes that scales and sizes refer to: all, or those in `axes`.
Result<std::vector<size_t>> ScaledAxes(const NodeView& view, size_t rank) {
  std::vector<size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (view.node().Find("axes") == nullptr) return axes;
  axes.clear();
  for (int64_t stated : view.node().Integers("axes")) {
    ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(stated, rank));
    axes.push_back(axis);
  }
  return axes;
}

std::optional<std::vector<double>> ReadScales(const NodeView& view,
                                              size_t input) {
  if (const Attribute* stated = view.node().Find("scales")) {
    auto* values = std::get_if<std::vector<double>>(&stated->value);
    if (values != nullptr) return *values;
  }
  const auto& reals = view.In(input).reals;
  if (reals && !reals->empty()) return *reals;
  return std::nullopt;
}

Error WrongCount(size_t numbers, size_t axes) {
  return Contradiction(
      fmt::format("found {} numbers for {} axes to resize", numbers, axes));
}

// keep_aspect_ratio_policy: one scale for all axes, the smallest or largest.
Result<Shape> KeepAspect(const Shape& input, const std::vector<size_t>& axes,
                         const std::vector<int64_t>& sizes, bool smallest) {
  Shape shape = input;
  double scale = smallest ? INFINITY : 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!input[axes[i]].size || *input[axes[i]].size == 0) {
      return OpenShape(input.size());
    }
    double ratio = static_cast<double>(sizes[i]) /
                   static_cast<double>(*input[axes[i]].size);
    scale = smallest ? std::min(scale, ratio) : std::max(scale, ratio);
  }
  for (size_t axis : axes) {
    double size =
        std::floor(scale * static_cast<double>(*input[axis].size) + 0.5);
    if (!(size >= 0 && size < 0x1p62)) return Contradiction("scale too large");
    shape[axis] = Dimension{.size = static_cast<int64_t>(size)};
  }
  return shape;
}

Result<Shape> WithSizes(const NodeView& view, const Shape& input,
                        const std::vector<size_t>& axes, size_t place) {
  const auto& content = view.In(place).integers;
  Shape shape = input;
  if (!content) {
    for (size_t axis : axes) shape[axis] = Dimension{};
    return shape;
  }
  if (content->size() != axes.size()) {
    return WrongCount(content->size(), axes.size());
  }
  std::string policy = view.node().Text("keep_aspect_ratio_policy", "stretch");
  auto known = view.InIntegers(place);
  if (known && policy != "stretch") {
    return KeepAspect(input, axes, *known, policy == "not_larger");
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    shape[axes[i]] = Dimension{};
    if (!(*content)[i]) continue;
    ASSIGN_OR_RETURN(shape[axes[i]], DimensionFrom(*(*content)[i]));
  }
  return shape;
}

Status Resizing(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  Places places = ReadPlaces(view);
  ASSIGN_OR_RETURN(auto axes, ScaledAxes(view, input->size()));
  if (view.Has(places.sizes)) {
    ASSIGN_OR_RETURN(Shape shape, WithSizes(view, *input, axes, places.sizes));
    view.Set(0, view.In(0).type, std::move(shape));
    return {};
  }
  Shape shape = *input;
  auto scales = ReadScales(view, places.scales);
  if (scales && scales->size() != axes.size()) {
    return WrongCount(scales->size(), axes.size());
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    shape[axes[i]] = Dimension{};
    if (!scales) continue;
    ASSIGN_OR_RETURN(shape[axes[i]], Scaled((*input)[axes[i]], (*scales)[i]));
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

// A weighted sum over `taps` neighbours: `taps` products and one sum fewer.
Cost Weighted(const NodeView& view, uint64_t taps) {
  return {.cost_class = kElementwise,
          .flops = CountElements(view.Out(0)) * (taps * 2 - 1)};
}

Cost CostOfResizing(const NodeView& view) {
  std::string mode = view.node().Text("mode", "nearest");
  const Shape* input = view.InShape(0);
  const auto& output = view.Out(0).shape;
  if (mode == "nearest" || input == nullptr || !output) return Movement(view);
  uint64_t taps = 1;
  for (size_t i = 0; i < std::min<size_t>(8, input->size()); ++i) {
    if ((*input)[i].size != (*output)[i].size) taps *= mode == "cubic" ? 4 : 2;
  }
  return taps == 1 ? Movement(view) : Weighted(view, taps);
}

Status Sampling(NodeView& view) {  // GridSample
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  const Shape* grid = view.InShape(1);
  if (input == nullptr || grid == nullptr) return {};
  if (input->size() < 3 || grid->size() != input->size()) {
    return Contradiction(fmt::format("{} cannot be sampled at {}",
                                     FormatShape(*input), FormatShape(*grid)));
  }
  Shape shape = {(*input)[0], (*input)[1]};
  shape.insert(shape.end(), grid->begin() + 1, grid->end() - 1);
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Cost CostOfSampling(const NodeView& view) {
  std::string mode = view.node().Text("mode", "bilinear");
  if (mode == "nearest") return Movement(view);
  const Shape* input = view.InShape(0);
  size_t axes = input == nullptr ? 2 : std::min<size_t>(input->size(), 5) - 2;
  bool cubic = mode == "cubic" || mode == "bicubic";
  return Weighted(view, uint64_t{1} << (axes * (cubic ? 2 : 1)));
}

Status MakingGrid(NodeView& view) {  // AffineGrid
  view.Set(0, view.In(0).type, std::nullopt);
  auto size = view.InIntegers(1);
  if (!size || size->size() < 4) return {};
  Shape shape = {Dimension{.size = (*size)[0]}};
  for (size_t i = 2; i < size->size(); ++i) {
    ASSIGN_OR_RETURN(Dimension along, DimensionFrom((*size)[i]));
    shape.push_back(along);
  }
  shape.push_back(Dimension{.size = static_cast<int64_t>(size->size()) - 2});
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status Centring(NodeView& view) {  // CenterCropPad
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(auto axes, ScaledAxes(view, input->size()));
  ASSIGN_OR_RETURN(Shape shape, WithSizes(view, *input, axes, 1));
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

// Turns columns of blocks back into an image: [N, C x block, L] to [N, C,
// image].
Status FromColumns(NodeView& view) {  // Col2Im
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  auto image = view.InIntegers(1);
  auto block = view.InIntegers(2);
  if (input == nullptr || input->size() != 3 || !image || !block) return {};
  Shape shape = {(*input)[0], Dimension{}};
  auto area = ElementCount(*block);
  if (area && *area > 0 && (*input)[1].size) {
    shape[1].size = *(*input)[1].size / static_cast<int64_t>(*area);
  }
  for (int64_t stated : *image) {
    ASSIGN_OR_RETURN(Dimension size, DimensionFrom(stated));
    shape.push_back(size);
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

constexpr OperatorRule kResizingRules[] = {
    {"Resize", Resizing, CostOfResizing},
    {"Upsample", Resizing, CostOfResizing},
    {"GridSample", Sampling, CostOfSampling},
    {"AffineGrid", MakingGrid, OnePerElement},
    {"CenterCropPad", Centring, Movement},
    {"Col2Im", FromColumns, OnePerElement},
};

}  // namespace

std::span<const OperatorRule> ResizingRules() { return kResizingRules; }

}  // namespace mete
