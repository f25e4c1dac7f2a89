// Reads ONNX files into domain graphs, weights skipped.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

#include "domain/graph.h"
#include "ports/graph_reader.h"
#include "support/result.h"

namespace mete {

// Reads the protobuf encoding itself instead of through libprotobuf: that one
// refuses files of 2 GB and copies every weight into memory, whereas this
// reader's memory does not grow with the weights. Stateless: any thread may
// call.
class OnnxGraphReader final : public GraphReader {
 public:
  Result<Network> Read(const std::filesystem::path& path) override;

  // A network that is in memory already. `folder` is where its external
  // weights lie; without one, external weights are an error.
  static Result<Network> ReadBytes(
      std::span<const std::byte> bytes,
      const std::optional<std::filesystem::path>& folder = std::nullopt);
};

}  // namespace mete
