// Writes network drafts as ONNX files through libonnx's protobuf classes.
#pragma once

#include "ports/graph_writer.h"

namespace mete {

// Weights are made while they are written, so memory does not grow with the
// network. Thread-safe: it has no state.
class OnnxGraphWriter : public GraphWriter {
 public:
  // Also fails with kInvalidInput when the draft does not fit into one ONNX
  // file (2 GiB) or fills a constant that is not float32.
  Status Write(const NetworkDraft& draft,
               const std::filesystem::path& path) override;
};

}  // namespace mete
