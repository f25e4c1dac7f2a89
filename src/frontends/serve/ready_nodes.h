// The nodes in the form that the prediction routes use, made once per snapshot
// instead of once per request.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "domain/cluster_node.h"
#include "ports/node_source.h"

namespace mete {

// The nodes of a snapshot without their disk usage. A full disk does not change
// how fast a network runs, so no predictor gets to see it.
struct ReadyNodes {
  std::shared_ptr<const NodeSnapshot> snapshot;
  std::vector<ClusterNode> all;    // in the snapshot's order
  std::vector<ClusterNode> known;  // those that predictions are possible for
};

// Caches the ReadyNodes of the latest snapshot. Thread-safe.
class ReadyNodesCache {
 public:
  explicit ReadyNodesCache(NodeSource& source) : source_(source) {}

  // Fails if the source fails.
  Result<std::shared_ptr<const ReadyNodes>> Get();

 private:
  NodeSource& source_;
  std::mutex mutex_;
  std::shared_ptr<const ReadyNodes> last_;
};

}  // namespace mete
