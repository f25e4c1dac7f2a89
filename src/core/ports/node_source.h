// Port: the nodes of the cluster and their current load.
#pragma once

#include <memory>

#include "domain/cluster_node.h"
#include "support/result.h"

namespace mete {

// Provides the nodes. Thread-safe.
class NodeSource {
 public:
  virtual ~NodeSource() = default;
  // Fails with kUnavailable or kTimeout when nothing is known, not even old
  // data. Shared, because a hundred requests per millisecond use the same
  // snapshot.
  virtual Result<std::shared_ptr<const NodeSnapshot>> Nodes() = 0;
};

}  // namespace mete
