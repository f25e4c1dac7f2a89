// Removes everything that mete watch has written: mete watch --prune-all.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "ports/cluster.h"
#include "support/json_fwd.h"
#include "support/result.h"
#include "support/table.h"
#include "watch/annotation_sink.h"

namespace mete {

// What to clean.
struct RemovalRequest {
  // With namespaces or labels, only these pods and their owners; otherwise also
  // all nodes.
  ClusterScope scope;
  bool dry_run = false;
};

// An object from which annotations were removed.
struct RemovalEntry {
  ObjectRef object;
  std::vector<std::string> keys;
  std::string failure;  // why they are still there; "" otherwise
};

struct RemovalReport {
  std::vector<RemovalEntry> entries;
  std::vector<std::string> warnings;
  size_t failed = 0;
  bool dry_run = false;  // nothing was written
};

// Removes the keys of mete watch, and of Alnair's profiler, from nodes, pods
// and every owner of a pod, or from all objects of a sink without a cluster
// (null). Owners whose pods are all gone are not found. Fails if the cluster
// cannot be listed.
Result<RemovalReport> RemoveAnnotations(const RemovalRequest& request,
                                        Cluster* cluster, AnnotationSink& sink,
                                        std::stop_token stop);

Table RemovalTable(const RemovalReport& report);
Json RemovalToJson(const RemovalReport& report);
// "12 objects, 40 annotations removed", or "would be removed".
std::string RemovalLine(const RemovalReport& report);

}  // namespace mete
