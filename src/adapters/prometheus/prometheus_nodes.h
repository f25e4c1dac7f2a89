// The nodes of a cluster, from Prometheus.
#pragma once

#include <chrono>

#include "adapters/prometheus/prometheus_client.h"
#include "ports/node_source.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {

// Timing of the queries.
struct PrometheusNodesPace {
  // Must contain at least two scrapes.
  Seconds load_window = std::chrono::minutes(1);
  // For all queries, which run in parallel.
  std::chrono::milliseconds deadline = std::chrono::seconds(2);
};

// Queries Prometheus on every call. Thread-safe.
class PrometheusNodes final : public NodeSource {
 public:
  PrometheusNodes(PrometheusPlace place, PrometheusNodesPace pace,
                  const Clock& clock)
      : client_(std::move(place)), pace_(pace), clock_(clock) {}

  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override;

 private:
  PrometheusClient client_;
  PrometheusNodesPace pace_;
  const Clock& clock_;
};

}  // namespace mete
