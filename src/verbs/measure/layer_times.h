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

// A network to profile. It runs a few dozen times in a session of its own:
// recording every node costs time, so the timed series must not do it.
struct LayerRequest {
  LoadRequest load;
  const InputFeeds& feeds;
  Seconds expected_latency{0};  // determines the number of calls
};

// The time of each node, and what it was computed from.
struct MeasuredLayers {
  // In graph order, which is the order the engine runs them in.
  std::vector<LayerTime> layers;
  std::vector<NodeTime> times;  // of all calls but the first few
};

Result<MeasuredLayers> MeasureLayers(const LayerRequest& request,
                                     Engine& engine, std::stop_token stop);

// Sums the node times per call and node, from call `first` on. Calls that took
// more than twice the median call were interrupted by other programs: they are
// left out, since one of them would name the wrong node as the slowest. The
// time of an
// If, Loop or Scan leaves out the nodes of its branches, which are in the list
// themselves.
std::vector<LayerTime> SummariseNodes(const std::vector<NodeTime>& times,
                                      size_t first);

}  // namespace mete
