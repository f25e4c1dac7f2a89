// Decodes and resizes pictures with the stb libraries.
#pragma once

#include "ports/image_reader.h"

namespace mete {

// Reads JPEG, PNG and BMP. Thread-safe.
class StbImageReader final : public ImageReader {
 public:
  // Rejects pictures of more than 100 million pixels with kCorrupt: no camera
  // makes them, and decoding one would use up all memory.
  Result<Picture> Read(const std::filesystem::path& path) override;
  Result<Picture> Resize(const Picture& picture, int width,
                         int height) override;
};

}  // namespace mete
