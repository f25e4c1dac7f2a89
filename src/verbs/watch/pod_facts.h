// What the objects of a cluster say about series: names of nodes, starts of
// pods, and who uses which GPU.
#pragma once

#include "watch/analyze_usage.h"
#include "watch/collect_usage.h"
#include "watch/decide_annotations.h"

namespace mete {

// Finds nodes by name or address. With `known` nodes, anything else is "".
// Without any (no Kubernetes), the reported name counts, without its port.
NodeNaming MakeNodeNaming(const std::vector<NodeObject>& known,
                          bool has_cluster);

// Objects that exist only as names in series, for machines without Kubernetes.
// `spaces` restricts the namespaces of pods; empty: all.
KnownObjects ObjectsFromUsage(const Usage& usage,
                              const std::vector<std::string>& spaces);

PodFacts MakePodFacts(const KnownObjects& objects, const Usage& usage,
                      WallTime now);

}  // namespace mete
