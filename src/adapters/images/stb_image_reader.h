// Adapter: pictures decoded and resized by the stb libraries.
#pragma once

#include "ports/image_reader.h"

namespace mete {

// JPEG, PNG and BMP. Safe to call from any thread.
class StbImageReader final : public ImageReader {
 public:
  // Pictures of more than 100 million pixels are refused as kCorrupt: no
  // camera makes them, and decoding one would take all memory.
  Result<Picture> Read(const std::filesystem::path& path) override;
  Result<Picture> Resize(const Picture& picture, int width,
                         int height) override;
};

}  // namespace mete
