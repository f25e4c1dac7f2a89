// Joins the series of a cluster to nodes by name.
#pragma once

#include <vector>

#include "adapters/prometheus/node_queries.h"
#include "domain/cluster_node.h"

namespace mete {

// A node is declared by char_node_* or mete_device_* series that name it.
// Series of node exporter belong to the node whose name is their label `node`,
// their `instance`, the host of their instance, or the reported host name, in
// this order. A missing series affects only its own value of its own node. A
// node without load, or without both cores and micro-benchmarks, is unknown,
// with the reason; so is an instance that belongs to no declared node. Sorted
// by name.
std::vector<ClusterNode> JoinNodes(const NodeSamples& samples);

}  // namespace mete
