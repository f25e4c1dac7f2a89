// Puts the series of a cluster together to nodes, by name.
#pragma once

#include <vector>

#include "adapters/prometheus/node_queries.h"
#include "domain/cluster_node.h"

namespace mete {

// A node is declared by char_node_* or mete_device_* series that name it. What
// node exporter tells belongs to the node whose name is its label `node`, its
// `instance`, the host of its instance, or the host name it reports, in this
// order. Whatever lacks a series lacks that figure and nobody else's: without
// load, or without cores and micro-measurements, a node is unknown, with the
// reason. So is an instance that belongs to no declared node. By name.
std::vector<ClusterNode> JoinNodes(const NodeSamples& samples);

}  // namespace mete
