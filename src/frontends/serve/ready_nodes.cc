#include "serve/ready_nodes.h"

namespace mete {

Result<std::shared_ptr<const ReadyNodes>> ReadyNodesCache::Get() {
  ASSIGN_OR_RETURN(std::shared_ptr<const NodeSnapshot> snapshot,
                   source_.Nodes());
  std::lock_guard lock(mutex_);
  if (last_ != nullptr && last_->snapshot == snapshot) return last_;
  auto ready = std::make_shared<ReadyNodes>();
  ready->all = snapshot->nodes;
  for (ClusterNode& node : ready->all) {
    node.disk_used.reset();
    if (!node.unknown) ready->known.push_back(node);
  }
  ready->snapshot = std::move(snapshot);
  last_ = std::move(ready);
  return last_;
}

}  // namespace mete
