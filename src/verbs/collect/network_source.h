// Where the networks of a collection come from: files of a folder, the zoo, or
// random samples that are written when their turn comes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ports/graph_writer.h"
#include "support/result.h"

namespace mete {

// One network. Files are told apart by their content, made ones by `source`,
// which says how to make them again.
struct NetworkSource {
  enum class Kind { kFile, kZoo, kSample };
  Kind kind = Kind::kFile;
  std::string name;    // of the workload
  std::string source;  // a path, "zoo:resnet18 seed 0" or "sample:7 seed 0"
  size_t index = 0;    // of a sample
  uint64_t seed = 0;
};

// "zoo", "sample:200", or a folder, whose *.onnx files are taken by name. Fails
// with kInvalidInput or kNotFound.
Result<std::vector<NetworkSource>> FindNetworks(const std::string& where,
                                                uint64_t seed);

// The file to load: the source's own, or one written into `folder`.
Result<std::filesystem::path> WriteNetwork(const NetworkSource& network,
                                           const std::filesystem::path& folder,
                                           GraphWriter& writer);
// Removes what WriteNetwork has written.
void RemoveWritten(const NetworkSource& network,
                   const std::filesystem::path& file);

}  // namespace mete
