#include "describe/window.h"

#include <fmt/format.h>

namespace mete {
namespace {

Result<std::vector<int64_t>> Positive(const Node& node,
                                      std::string_view attribute, size_t axes) {
  std::vector<int64_t> values = node.Integers(attribute);
  if (values.empty()) values.assign(axes, 1);
  if (values.size() != axes) {
    return Contradiction(fmt::format("{} has {} numbers for {} axes", attribute,
                                     values.size(), axes));
  }
  for (int64_t value : values) {
    if (value < 1) {
      return Contradiction(fmt::format("{} of {}", attribute, value));
    }
  }
  return values;
}

}  // namespace

std::optional<std::vector<Dimension>> KernelAttribute(const Node& node) {
  if (node.Find("kernel_shape") == nullptr) return std::nullopt;
  return KnownShape(node.Integers("kernel_shape"));
}

Result<Window> Window::Of(const Node& node, std::vector<Dimension> kernel) {
  Window window;
  window.kernel_ = std::move(kernel);
  size_t axes = window.kernel_.size();
  for (const Dimension& size : window.kernel_) {
    if (size.size && *size.size < 1) {
      return Contradiction(
          fmt::format("the size of the kernel is {}", *size.size));
    }
  }
  ASSIGN_OR_RETURN(window.strides_, Positive(node, "strides", axes));
  ASSIGN_OR_RETURN(window.dilations_, Positive(node, "dilations", axes));
  window.pads_ = node.Integers("pads");
  if (window.pads_.empty()) window.pads_.assign(axes * 2, 0);
  if (window.pads_.size() != axes * 2) {
    return Contradiction(fmt::format("pads has {} numbers for {} axes",
                                     window.pads_.size(), axes));
  }
  window.auto_pad_ = node.Text("auto_pad", "NOTSET");
  window.ceil_ = node.Integer("ceil_mode", 0) != 0;
  return window;
}

Wide Window::Padding(size_t axis) const {
  if (auto_pad_ == "VALID") return 0;
  return Wide{pads_[axis]} + pads_[axis + kernel_.size()];
}

Wide Window::Extent(size_t axis) const {
  return (Wide{*kernel_[axis].size} - 1) * dilations_[axis] + 1;
}

Result<Dimension> Window::Slide(size_t axis, const Dimension& in) const {
  if (!in.size) return Dimension{};
  Wide stride = strides_[axis];
  if (Same()) return DimensionFrom((Wide{*in.size} + stride - 1) / stride);
  if (!kernel_[axis].size) return Dimension{};
  Wide room = Wide{*in.size} + Padding(axis) - Extent(axis);
  if (room < 0) {
    return Contradiction(
        fmt::format("a kernel of {} (dilation {}) is larger than its padded "
                    "input of {}",
                    *kernel_[axis].size, dilations_[axis],
                    static_cast<int64_t>(room + Extent(axis))));
  }
  Wide places = room / stride + 1;
  if (ceil_ && room % stride != 0) {
    // A last window that starts in the padding is dropped, as engines do.
    Wide begin = auto_pad_ == "VALID" ? Wide{0} : Wide{pads_[axis]};
    if (places * stride < Wide{*in.size} + begin) ++places;
  }
  return DimensionFrom(places);
}

Result<Dimension> Window::Spread(size_t axis, const Dimension& in,
                                 int64_t output_padding) const {
  if (!in.size) return Dimension{};
  Wide stride = strides_[axis];
  if (Same()) return DimensionFrom(Wide{*in.size} * stride);
  if (!kernel_[axis].size) return Dimension{};
  return DimensionFrom(stride * (Wide{*in.size} - 1) + output_padding +
                       Extent(axis) - Padding(axis));
}

Result<Shape> Window::SlideAll(const Shape& in) const {
  Shape out;
  for (size_t axis = 0; axis < kernel_.size(); ++axis) {
    ASSIGN_OR_RETURN(Dimension size, Slide(axis, in[axis + 2]));
    out.push_back(size);
  }
  return out;
}

}  // namespace mete
