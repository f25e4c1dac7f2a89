// Finds the file of the network to serve: a file of the user, or a network of
// the zoo that is written on first use.
#pragma once

#include <filesystem>
#include <string>

#include "ports/graph_writer.h"
#include "support/result.h"

namespace mete {

// A network to serve.
struct NetworkToServe {
  std::string name;  // of the application, or the file without .onnx
  std::filesystem::path path;
};

// What to find, and where to keep networks that are written.
struct PrepareNetworkRequest {
  std::string given;             // NET.onnx or a name of AllZooNames
  std::filesystem::path folder;  // created if missing
  uint64_t seed = 0;
};

// A name with a slash or ending in .onnx is a file. Otherwise the network of
// that name is written to the folder unless an identical one is there. Fails
// with kInvalidInput and the nearest name for an unknown one.
Result<NetworkToServe> PrepareNetwork(const PrepareNetworkRequest& request,
                                      GraphWriter& writer);

}  // namespace mete
