// Port: who knows the nodes of the cluster and how busy they are now.
#pragma once

#include <memory>

#include "domain/cluster_node.h"
#include "support/result.h"

namespace mete {

// From any thread.
class NodeSource {
 public:
  virtual ~NodeSource() = default;
  // Fails with kUnavailable or kTimeout when nothing is known, not even of
  // old. Shared, since a hundred requests a millisecond look at the same one.
  virtual Result<std::shared_ptr<const NodeSnapshot>> Nodes() = 0;
};

}  // namespace mete
