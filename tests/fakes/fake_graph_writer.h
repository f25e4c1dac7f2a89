// A GraphWriter that writes nothing.
#pragma once

#include "ports/graph_writer.h"

namespace mete {

class FakeGraphWriter final : public GraphWriter {
 public:
  Status Write(const NetworkDraft&, const std::filesystem::path&) override {
    return {};
  }
};

}  // namespace mete
