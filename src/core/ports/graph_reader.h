// Port: a network file in, its graph out.
#pragma once

#include <filesystem>

#include "domain/graph.h"
#include "support/result.h"

namespace mete {

class GraphReader {
 public:
  virtual ~GraphReader() = default;

  // Reads the whole structure but not the weights' content. The result is
  // sound: names resolve, the graph has no cycle, sizes are not negative.
  // Fails with kNotFound, kPermissionDenied, or kCorrupt with one line that
  // says what is wrong where.
  virtual Result<Network> Read(const std::filesystem::path& path) = 0;
};

}  // namespace mete
