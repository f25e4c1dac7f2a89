#include "adapters/images/stb_image_reader.h"

#include <fmt/format.h>

#include <memory>

#include "support/file.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#define STB_IMAGE_RESIZE_STATIC
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb/stb_image_resize.h>
#pragma GCC diagnostic pop

namespace mete {
namespace {

constexpr int64_t kMostPixels = 100'000'000;
constexpr int kChannels = 3;

Error NotAPicture(const std::filesystem::path& path, const char* reason) {
  return Corrupt(fmt::format("decode {}: {}", path.string(),
                             reason == nullptr ? "not an image" : reason));
}

}  // namespace

Result<Picture> StbImageReader::Read(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string content, ReadFile(path));
  auto* bytes = reinterpret_cast<const stbi_uc*>(content.data());
  int length = static_cast<int>(content.size());
  if (content.size() > static_cast<size_t>(INT32_MAX)) {
    return NotAPicture(path, "larger than 2 GB");
  }
  Picture picture;
  int channels = 0;
  if (stbi_info_from_memory(bytes, length, &picture.width, &picture.height,
                            &channels) == 0) {
    return NotAPicture(path, stbi_failure_reason());
  }
  if (int64_t{picture.width} * picture.height > kMostPixels) {
    return NotAPicture(path, "more than 100 million pixels");
  }
  std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(bytes, length, &picture.width, &picture.height,
                            &channels, kChannels),
      stbi_image_free);
  if (pixels == nullptr) return NotAPicture(path, stbi_failure_reason());
  size_t count = size_t(picture.width) * size_t(picture.height) * kChannels;
  picture.rgb.assign(pixels.get(), pixels.get() + count);
  return picture;
}

Result<Picture> StbImageReader::Resize(const Picture& picture, int width,
                                       int height) {
  CHECK(width > 0 && height > 0) << width << "x" << height;
  Picture resized{.width = width, .height = height};
  resized.rgb.resize(size_t(width) * size_t(height) * kChannels);
  // The triangle filter is bilinear when enlarging and averages the area when
  // shrinking, as in the usual preprocessing of ImageNet networks.
  int done = stbir_resize_uint8_generic(
      picture.rgb.data(), picture.width, picture.height, 0, resized.rgb.data(),
      width, height, 0, kChannels, STBIR_ALPHA_CHANNEL_NONE, 0,
      STBIR_EDGE_CLAMP, STBIR_FILTER_TRIANGLE, STBIR_COLORSPACE_LINEAR,
      nullptr);
  if (done == 0) return Unavailable("resize an image: out of memory");
  return resized;
}

}  // namespace mete
