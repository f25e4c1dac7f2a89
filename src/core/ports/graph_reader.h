// Port: reads the graph of a network file.
#pragma once

#include <filesystem>

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Reads network files.
class GraphReader {
 public:
  virtual ~GraphReader() = default;

  // Reads the whole structure but not the content of weights. The result is
  // valid: names resolve, the graph has no cycle, sizes are not negative. Fails
  // with kNotFound, kPermissionDenied, or kCorrupt with one line that says what
  // is wrong and where.
  virtual Result<Network> Read(const std::filesystem::path& path) = 0;
};

}  // namespace mete
