// Writes network drafts as ONNX files with libonnx's protobuf classes.
#pragma once

#include "ports/graph_writer.h"

namespace mete {

// Weights are generated while they are written, so memory use does not depend
// on the network. Stateless and thread-safe.
class OnnxGraphWriter : public GraphWriter {
 public:
  // Also fails with kInvalidInput when the draft exceeds the size of an ONNX
  // file (2 GiB) or fills a constant that is not float32.
  Status Write(const NetworkDraft& draft,
               const std::filesystem::path& path) override;
};

}  // namespace mete
