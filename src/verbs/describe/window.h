// The sliding window of convolutions and pools: kernel, stride, dilation,
// padding.
#pragma once

#include <string>
#include <vector>

#include "describe/node_view.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Computes the output sizes of a sliding window.
class Window {
 public:
  // From the attributes strides, dilations, pads, auto_pad and ceil_mode,
  // with defaults for as many axes as `kernel` has. Fails when they contradict
  // each other or are not positive.
  static Result<Window> Of(const Node& node, std::vector<Dimension> kernel);

  const std::vector<Dimension>& kernel() const { return kernel_; }
  // Number of elements under the window. Open when the kernel's size is.
  Amount KernelSize() const { return ComputeSize(kernel_, 0, kernel_.size()); }

  // How many positions the window has along an axis of size `in`. Fails when it
  // is larger than the padded axis.
  Result<Dimension> Slide(size_t axis, const Dimension& in) const;
  // The inverse: the size of the axis that a transposed convolution fills.
  Result<Dimension> Spread(size_t axis, const Dimension& in,
                           int64_t output_padding) const;

  // Slides over all axes of `in` after batch and channel.
  Result<Shape> SlideAll(const Shape& in) const;

 private:
  bool Same() const {
    return auto_pad_ == "SAME_UPPER" || auto_pad_ == "SAME_LOWER";
  }
  Wide Padding(size_t axis) const;
  // Size of the dilated kernel.
  Wide Extent(size_t axis) const;

  std::vector<Dimension> kernel_;
  std::vector<int64_t> strides_;
  std::vector<int64_t> dilations_;
  std::vector<int64_t> pads_;  // begins, then ends
  std::string auto_pad_;
  bool ceil_ = false;
};

// The kernel_shape attribute, if present.
std::optional<std::vector<Dimension>> KernelAttribute(const Node& node);

}  // namespace mete
