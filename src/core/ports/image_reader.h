// Port: picture files decoded to pixels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "support/result.h"

namespace mete {

// 8-bit RGB, row by row from the top left.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  // width * height * 3
};

class ImageReader {
 public:
  virtual ~ImageReader() = default;

  // JPEG, PNG and BMP. Fails with kNotFound or kCorrupt.
  virtual Result<Picture> Read(const std::filesystem::path& path) = 0;
  // Bilinear, with the area averaged when shrinking.
  virtual Result<Picture> Resize(const Picture& picture, int width,
                                 int height) = 0;
};

}  // namespace mete
