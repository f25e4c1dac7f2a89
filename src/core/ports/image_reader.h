// Port: decodes picture files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "support/result.h"

namespace mete {

// 8-bit RGB pixels, row by row from the top left.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  // width * height * 3
};

// Decodes and resizes pictures.
class ImageReader {
 public:
  virtual ~ImageReader() = default;

  // JPEG, PNG and BMP. Fails with kNotFound or kCorrupt.
  virtual Result<Picture> Read(const std::filesystem::path& path) = 0;
  // Bilinear; averages the area when shrinking.
  virtual Result<Picture> Resize(const Picture& picture, int width,
                                 int height) = 0;
};

}  // namespace mete
