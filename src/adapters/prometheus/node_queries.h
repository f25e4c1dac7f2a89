// What Prometheus is asked about nodes, and the names of our own series.
#pragma once

#include <string>
#include <vector>

#include "adapters/prometheus/query_answer.h"
#include "support/units.h"

namespace mete {

// The answers, each to one query.
struct NodeSamples {
  std::vector<MetricSample> facts;        // raw series, known by their names
  std::vector<MetricSample> load;         // 0 to 1, by instance
  std::vector<MetricSample> cores;        // by instance
  std::vector<MetricSample> disk;         // share in use of /, by instance
  std::vector<MetricSample> temperature;  // the hottest, by instance
  // By node, as mete-agent tells them: for nodes without node exporter.
  std::vector<MetricSample> own_load;
  std::vector<MetricSample> own_disk;
  std::vector<MetricSample> own_temperature;
};

// One query and where its answer goes. Without an answer to one that is
// wanted there is no snapshot.
struct NodeQuery {
  std::string promql;
  std::vector<MetricSample> NodeSamples::*place;
  bool wanted;
};

// `load_window` is what CPU load is averaged over.
std::vector<NodeQuery> NodeQueries(Seconds load_window);

}  // namespace mete
