// The nodes of a cluster, as Prometheus knows them now.
#pragma once

#include <chrono>

#include "adapters/prometheus/prometheus_client.h"
#include "ports/node_source.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {

struct PrometheusNodesPace {
  // At least two scrapes must lie within.
  Seconds load_window = std::chrono::minutes(1);
  // For all queries, which run at once.
  std::chrono::milliseconds deadline = std::chrono::seconds(2);
};

// Asks at every call. From any thread.
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
