// Where the networks of a collection come from: files in a folder, the zoo, or
// random samples that are generated when needed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "domain/tensor.h"
#include "ports/graph_writer.h"
#include "support/result.h"

namespace mete {

// One network. Files are identified by their content, generated networks by
// `source`, which says how to generate them again.
struct NetworkSource {
  enum class Kind { kFile, kZoo, kSample };
  Kind kind = Kind::kFile;
  std::string name;    // name of the workload
  std::string source;  // a path, "zoo:resnet18 seed 0" or "sample:7 seed 0"
  size_t index = 0;    // index of a sample
  uint64_t seed = 0;
  // Sizes of inputs instead of the network's own. Runs with them are not
  // training data: the store keeps one set of traits per file and batch.
  std::vector<ShapeOverride> shapes;
  std::vector<std::string> inputs;  // values; see InputRequest::given
};

// Fails with kInvalidInput for "sample:" without a valid number, and for "zoo:"
// as CheckZooName does. Does not look for folders.
Status CheckNetworks(const std::string& where);

// Accepts "zoo", "zoo:NAME,NAME", "sample:200", or a folder, whose *.onnx files
// are sorted by name. Fails with kInvalidInput or kNotFound.
Result<std::vector<NetworkSource>> FindNetworks(const std::string& where,
                                                uint64_t seed);

// Returns the file to load: the source's own, or one written into `folder`.
Result<std::filesystem::path> WriteNetwork(const NetworkSource& network,
                                           const std::filesystem::path& folder,
                                           GraphWriter& writer);
// Removes the file that WriteNetwork generated, if any.
void RemoveWritten(const NetworkSource& network,
                   const std::filesystem::path& file);

}  // namespace mete
