#include "measure/picture_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mete {
namespace {

// Means and deviations of the ImageNet training set: red, green, blue.
constexpr std::array<float, 3> kMean = {0.485F, 0.456F, 0.406F};
constexpr std::array<float, 3> kDeviation = {0.229F, 0.224F, 0.225F};
constexpr double kResizeRatio = 256.0 / 224.0;
constexpr int64_t kLargestSide = 16384;
constexpr double kMostPixels = 1e9;  // 3 GB of bytes

// Scales the picture so that its shorter side is `ratio` times the requested
// size. Both sides are at least as large as requested.
Result<Picture> Scale(const Picture& picture, const PictureLayout& layout,
                      ImageReader& images) {
  double factor = std::max(layout.width * kResizeRatio / picture.width,
                           layout.height * kResizeRatio / picture.height);
  if (picture.width * factor * picture.height * factor > kMostPixels) {
    return InvalidInput(fmt::format(
        "an image of {}x{} is too long and thin for an input of {}x{}",
        picture.width, picture.height, layout.width, layout.height));
  }
  auto scaled = [factor](int side, int requested) {
    return std::max(requested, static_cast<int>(std::lround(side * factor)));
  };
  return images.Resize(picture, scaled(picture.width, layout.width),
                       scaled(picture.height, layout.height));
}

}  // namespace

Result<PictureLayout> DetectPictureLayout(const GraphValue& input) {
  const std::optional<Shape>& shape = input.type.shape;
  auto size = [&](size_t axis) { return (*shape)[axis].size.value_or(0); };
  bool rank_4 = shape && shape->size() == 4;
  bool channels_first = rank_4 && size(1) == 3;
  bool channels_last = rank_4 && !channels_first && size(3) == 3;
  if (input.type.type != ElementType::kFloat ||
      (!channels_first && !channels_last)) {
    return InvalidInput(fmt::format(
        "images do not fit input '{}': it is {} {}, not float32 Nx3xHxW or "
        "NxHxWx3",
        input.name, ToString(input.type.type),
        shape ? FormatShape(*shape) : "of unknown shape"));
  }
  int64_t height = channels_last ? size(1) : size(2);
  int64_t width = channels_last ? size(2) : size(3);
  if (height < 1 || width < 1 || height > kLargestSide ||
      width > kLargestSide) {
    return InvalidInput(fmt::format("images of {}x{} do not fit input '{}'",
                                    height, width, input.name));
  }
  return PictureLayout{.height = static_cast<int>(height),
                       .width = static_cast<int>(width),
                       .channels_last = channels_last};
}

Result<std::vector<float>> Preprocess(const Picture& picture,
                                      const PictureLayout& layout,
                                      ImageReader& images) {
  ASSIGN_OR_RETURN(Picture scaled, Scale(picture, layout, images));
  int left = (scaled.width - layout.width) / 2;
  int top = (scaled.height - layout.height) / 2;
  size_t pixels = size_t(layout.width) * size_t(layout.height);
  std::vector<float> values(pixels * 3);
  for (int y = 0; y < layout.height; ++y) {
    for (int x = 0; x < layout.width; ++x) {
      size_t source =
          (size_t(top + y) * size_t(scaled.width) + size_t(left + x)) * 3;
      size_t pixel = size_t(y) * size_t(layout.width) + size_t(x);
      for (size_t c = 0; c < 3; ++c) {
        size_t target =
            layout.channels_last ? pixel * 3 + c : c * pixels + pixel;
        float level = static_cast<float>(scaled.rgb[source + c]) / 255;
        values[target] = (level - kMean[c]) / kDeviation[c];
      }
    }
  }
  return values;
}

}  // namespace mete
