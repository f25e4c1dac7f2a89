// Reads every file as an empty network, for tests of code that only checks
// whether a file is a network.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "ports/graph_reader.h"

namespace mete {

class AnyGraphReader final : public GraphReader {
 public:
  std::optional<Error> failure;  // of every read
  std::vector<std::filesystem::path> asked;

  Result<Network> ReadWithin(const std::filesystem::path& path,
                             const GraphLimits&) override {
    asked.push_back(path);
    if (failure) return *failure;
    return Network{};
  }
};

}  // namespace mete
