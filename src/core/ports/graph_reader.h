// Port: reads the graph of a network file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// What a file may ask of its reader. For files from strangers: a small file can
// describe a very large graph.
struct GraphLimits {
  size_t most_nodes = std::numeric_limits<size_t>::max();
  // Nodes, values, initializers, attributes and names together.
  size_t most_parts = std::numeric_limits<size_t>::max();
  // Whether weights may be in other files of the same folder.
  bool external_data = true;
};

// Reads network files.
class GraphReader {
 public:
  virtual ~GraphReader() = default;

  // Reads the whole structure but not the content of weights. The result is
  // valid: names resolve, the graph has no cycle, sizes are not negative. Fails
  // with kNotFound, kPermissionDenied, or kCorrupt with one line that says what
  // is wrong and where.
  Result<Network> Read(const std::filesystem::path& path) {
    return ReadWithin(path, {});
  }
  // The same for a file that may not exceed these limits. Fails with kCorrupt
  // if it does.
  virtual Result<Network> ReadWithin(const std::filesystem::path& path,
                                     const GraphLimits& limits) = 0;
};

}  // namespace mete
