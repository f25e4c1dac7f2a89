#include "domain/cluster_node.h"

namespace mete {

bool KnowsItsCpus(const ClusterNode& node) {
  if (node.limits && node.limits->cpus) return node.limits->cpus->count > 0;
  return node.facts.cores > 0;
}

void AssumeLoad(ClusterNode& node, double load) {
  node.load = load;
  if (node.wants_load) node.unknown.reset();
  node.wants_load = false;
}

}  // namespace mete
