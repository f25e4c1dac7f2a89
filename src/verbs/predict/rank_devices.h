// Ranks devices by how fast they are predicted to run a network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/cluster_node.h"
#include "predict/latency_predictor.h"
#include "predict/question.h"

namespace mete {

enum class Objective { kLatency, kThroughput, kEnergy };

// One device's place in the ranking.
struct DeviceAnswer {
  size_t node = 0;  // index into the nodes asked about
  // Seconds per inference (joules for kEnergy). Absent: `reasons` says why.
  std::optional<Estimate> estimate;
  std::optional<bool> fits_memory;   // absent: memory of the device unknown
  std::vector<std::string> reasons;  // what the user should know about it
};

struct Ranking {
  // Best first; devices that cannot be predicted or do not fit come last.
  std::vector<DeviceAnswer> devices;
  // How many of the first cannot be told apart: their ratio to the best is
  // within what such ratios were off by, or, where nobody knows that, their
  // intervals overlap the best one's. 1: the first is the best.
  size_t tied = 0;
};

// Needs no lock: predictors do not change. Uses the full predictor when the
// question has traits and the one over the counts otherwise.
Ranking RankDevices(const PredictorSet& predictors,
                    const NetworkQuestion& question,
                    const std::vector<ClusterNode>& nodes, Objective objective,
                    Detail detail = Detail::kWords);

}  // namespace mete
