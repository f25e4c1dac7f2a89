// A NodeSource with the nodes set by a test.
#pragma once

#include <memory>
#include <optional>

#include "ports/node_source.h"

namespace mete {

class FixedNodes final : public NodeSource {
 public:
  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override {
    if (error) return *error;
    return std::shared_ptr<const NodeSnapshot>(
        std::make_shared<NodeSnapshot>(snapshot));
  }

  NodeSnapshot snapshot;
  std::optional<Error> error;
};

}  // namespace mete
