// Creates the inputs of a network: random, constant, from NumPy files or from
// pictures.
// This is done before anything is timed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
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
  // "name=x.npy", "name=16000", "name=zeros" or "name=ones". The name may be
  // omitted if there is only one input.
  std::vector<std::string> given;
  std::filesystem::path picture_folder;  // empty: none
  // Called when sizes are open: the length of a sequence to suggest. Empty: the
  // usual one.
  std::function<int64_t()> suggest_length{};
};

// One or more complete sets of input values, used in turn, and their origin.
struct InputFeeds {
  std::vector<std::vector<TensorValue>> feeds;
  std::vector<std::string> shapes;  // "input=1x3x224x224"
  // "random", "file x.npy; sr=16000; random h", "pictures of DIR (12)"
  std::string origin;
  // Inputs of random integers. Many networks accept only certain values there.
  std::vector<std::string> random_integers;
};

// The number that "zeros", "ones", "16000" or the like stands for. Absent for a
// file. A number is one even if a file has that name.
std::optional<double> ParseInputNumber(const std::string& text);

// Fails with kInvalidInput. The message names the input and the flag to set.
Result<InputFeeds> MakeInputs(const std::vector<GraphValue>& inputs,
                              const InputRequest& request, ImageReader& images);

}  // namespace mete
