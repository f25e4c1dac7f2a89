// A picture as the input of an image network: resized, cropped, normalised.
#pragma once

#include <string>

#include "domain/graph.h"
#include "ports/image_reader.h"
#include "support/result.h"

namespace mete {

// Where height, width and the three colours stand in an input of rank 4.
struct PictureLayout {
  int height = 0;
  int width = 0;
  bool channels_last = false;  // NHWC instead of NCHW
};

// Fails with kInvalidInput when the input is no batch of colour pictures.
Result<PictureLayout> DetectPictureLayout(const GraphValue& input);

// The usual preprocessing of ImageNet networks: the shorter side to 256/224 of
// the input's, the centre cropped, each channel (x / 255 - mean) / deviation
// with ImageNet's figures. Float32, batch of one, C order.
Result<std::vector<float>> Preprocess(const Picture& picture,
                                      const PictureLayout& layout,
                                      ImageReader& images);

}  // namespace mete
