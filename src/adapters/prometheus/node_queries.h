// The queries to Prometheus about nodes, and the names of our own series.
#pragma once

#include <string>
#include <vector>

#include "adapters/prometheus/query_answer.h"
#include "support/units.h"

namespace mete {

// The responses, one member per query.
struct NodeSamples {
  std::vector<MetricSample> facts;        // raw series, distinguished by name
  std::vector<MetricSample> load;         // 0 to 1, by instance
  std::vector<MetricSample> cores;        // by instance
  std::vector<MetricSample> disk;         // share in use of /, by instance
  std::vector<MetricSample> temperature;  // the hottest, by instance
  // By node, from mete-agent: for nodes without node exporter.
  std::vector<MetricSample> own_load;
  std::vector<MetricSample> own_disk;
  std::vector<MetricSample> own_temperature;
};

// A query and the destination of its result. Without a result of a required
// query there is no snapshot.
struct NodeQuery {
  std::string promql;
  std::vector<MetricSample> NodeSamples::*place;
  bool required;
};

// CPU load is averaged over `load_window`.
std::vector<NodeQuery> NodeQueries(Seconds load_window);

}  // namespace mete
