// An ImageReader for tests without images.
#pragma once

#include "ports/image_reader.h"

namespace mete {

class NoImages final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path&) override {
    return NotFound("there are no pictures");
  }
  Result<Picture> Resize(const Picture& picture, int, int) override {
    return picture;
  }
};

}  // namespace mete
