// Collects on nodes of a cluster: on each, a Job runs `mete collect --stream`,
// and what it prints is stored here under the name of the node.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "collect/collect_here.h"
#include "ports/launcher.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// A collection on nodes.
struct CollectOnNodesRequest {
  std::string image;               // whose entry point is mete
  std::vector<std::string> nodes;  // at least one
  size_t at_once = 1;              // nodes that measure at the same time
  std::string networks = "zoo";    // in the image, if it is a folder
  CollectRequest how;              // without networks and devices
};

// Ports, borrowed for the duration of the call.
struct CollectOnNodesDependencies {
  RunStore& store;
  Launcher& launcher;
};

// What became of one node.
struct NodeCollection {
  std::string node;
  CollectSummary summary;  // so far, if there is a failure
  // Why the node could not finish. Its runs so far are stored.
  std::optional<Error> failure;
};

// Every run is stored as soon as its line arrives. A failure of one node does
// not stop the others. When stopped, it asks the Jobs to end and returns what
// is stored so far; the same request skips what the store has. Fails when the
// store does.
Result<std::vector<NodeCollection>> CollectOnNodes(
    const CollectOnNodesRequest& request,
    const CollectOnNodesDependencies& dependencies,
    const CollectCallbacks& callbacks, std::stop_token stop);

}  // namespace mete
