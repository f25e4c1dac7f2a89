// Time per node of a network, from the engine's own profiler.
#pragma once

#include <stop_token>
#include <vector>

#include "domain/run.h"
#include "measure/input_tensors.h"
#include "ports/engine.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Runs the network a few dozen times in a session of its own, which records
// its nodes: recording costs time, so the timed series must not do it.
struct LayerRequest {
  LoadRequest load;
  const InputFeeds& feeds;
  Seconds expected_latency{0};  // decides how often it is run
};

// In graph order: the order in which the engine runs the nodes.
Result<std::vector<LayerTime>> MeasureLayers(const LayerRequest& request,
                                             Engine& engine,
                                             std::stop_token stop);

// The nodes' times of the calls from `first` on, summed per call and node.
std::vector<LayerTime> SummariseNodes(const std::vector<NodeTime>& times,
                                      size_t first);

}  // namespace mete
