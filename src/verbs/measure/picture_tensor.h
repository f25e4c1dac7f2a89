// Converts a picture to the input of an image network: resized, cropped,
// normalised.
#pragma once

#include <string>

#include "domain/graph.h"
#include "ports/image_reader.h"
#include "support/result.h"

namespace mete {

// The size and channel order of an image input of rank 4.
struct PictureLayout {
  int height = 0;
  int width = 0;
  bool channels_last = false;  // NHWC instead of NCHW
};

// Fails with kInvalidInput when the input is not a batch of colour pictures.
Result<PictureLayout> DetectPictureLayout(const GraphValue& input);

// The usual preprocessing for ImageNet networks: scales the shorter side to
// 256/224 of the input's, crops the centre and normalises each channel to (x /
// 255 - mean) / deviation with ImageNet's constants. Returns float32, batch
// size one, C order.
Result<std::vector<float>> Preprocess(const Picture& picture,
                                      const PictureLayout& layout,
                                      ImageReader& images);

}  // namespace mete
