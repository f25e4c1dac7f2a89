// Creates the inputs of a network: random, from NumPy files or from pictures.
// This is done before anything is timed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "domain/graph.h"
#include "domain/input_shapes.h"
#include "domain/tensor.h"
#include "ports/image_reader.h"
#include "support/result.h"

namespace mete {

// Where the values come from. Inputs without a file or picture are filled with
// random values from the seed.
struct InputRequest {
  InputSizes sizes;
  uint64_t seed = 0;
  // "x.npy" for the only input, "name=x.npy" for one of several.
  std::vector<std::string> files;
  std::filesystem::path picture_folder;  // empty: none
};

// One or more complete sets of input values, used in turn, and their origin.
struct InputFeeds {
  std::vector<std::vector<TensorValue>> feeds;
  std::vector<std::string> shapes;  // "input=1x3x224x224"
  std::string origin;  // "random", "file x.npy", "pictures of DIR (12)"
};

// Fails with kInvalidInput. The message names the input and the flag to set.
Result<InputFeeds> MakeInputs(const std::vector<GraphValue>& inputs,
                              const InputRequest& request, ImageReader& images);

}  // namespace mete
