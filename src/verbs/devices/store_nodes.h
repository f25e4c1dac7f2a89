// The devices in the store as nodes, for use without Prometheus.
#pragma once

#include "ports/node_source.h"
#include "ports/run_store.h"
#include "support/clock.h"

namespace mete {

// A registered device as a node of unknown load.
ClusterNode ToNode(const Device& device);

// Reads the store on every call. Not thread-safe, like the store.
class StoreNodes final : public NodeSource {
 public:
  StoreNodes(RunStore& store, const Clock& clock)
      : store_(store), clock_(clock) {}

  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override;

 private:
  RunStore& store_;
  const Clock& clock_;
};

}  // namespace mete
