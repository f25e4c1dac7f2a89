// Reads the usage of nodes, pods and GPUs from the past of metrics.
#pragma once

#include <functional>
#include <stop_token>

#include "ports/metric_history.h"
#include "support/result.h"
#include "watch/usage.h"
#include "watch/watch_config.h"

namespace mete {

// Maps the node in a series (a name, or an address with or without a port) to
// the name of the node.
using NodeNaming = std::function<std::string(const std::string& reported)>;

// The requests of one round. Their times lie on multiples of the step, so that
// the next round sees the same points again.
std::vector<HistoryQuery> UsageQueries(const WatchConfig& config, WallTime now);

// Fails when a query fails for a passing reason: with a part of the metrics,
// annotations would come and go. Rejected queries are left out and listed.
Result<Usage> CollectUsage(const WatchConfig& config, MetricHistory& history,
                           const NodeNaming& node_name, WallTime now,
                           std::stop_token stop);

}  // namespace mete
