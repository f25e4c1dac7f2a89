// Reads ONNX files into domain graphs without loading weights.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

#include "domain/graph.h"
#include "ports/graph_reader.h"
#include "support/result.h"

namespace mete {

// Parses the protobuf encoding itself instead of using libprotobuf, which
// rejects files of 2 GB and copies every weight into memory; the memory use of
// this reader does not depend on the weights. Stateless and thread-safe.
class OnnxGraphReader final : public GraphReader {
 public:
  Result<Network> ReadWithin(const std::filesystem::path& path,
                             const GraphLimits& limits) override;

  // Reads a network in memory. `folder` contains its external weights; without
  // it, external weights are an error.
  static Result<Network> ReadBytes(
      std::span<const std::byte> bytes,
      const std::optional<std::filesystem::path>& folder = std::nullopt,
      const GraphLimits& limits = {});
};

}  // namespace mete
