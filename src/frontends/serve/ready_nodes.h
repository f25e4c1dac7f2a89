// The nodes as prediction routes want them, made once for every snapshot and
// not once for every request.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "domain/cluster_node.h"
#include "ports/node_source.h"

namespace mete {

// Without the disk's use: how full a disk is says nothing about how fast a
// network runs, so that no predictor gets to see it.
struct ReadyNodes {
  std::shared_ptr<const NodeSnapshot> snapshot;
  std::vector<ClusterNode> all;    // in the snapshot's order
  std::vector<ClusterNode> known;  // that can be predicted for
};

// From any thread.
class ReadyNodesCache {
 public:
  explicit ReadyNodesCache(NodeSource& source) : source_(source) {}

  // Fails as the source does.
  Result<std::shared_ptr<const ReadyNodes>> Get();

 private:
  NodeSource& source_;
  std::mutex mutex_;
  std::shared_ptr<const ReadyNodes> last_;
};

}  // namespace mete
