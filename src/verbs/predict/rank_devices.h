// Ranks devices by how fast they are predicted to run a network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/cluster_node.h"
#include "predict/latency_predictor.h"
#include "predict/question.h"

namespace mete {

// What the ranking optimizes.
enum class Objective { kLatency, kThroughput, kEnergy };

// One device's place in the ranking.
struct DeviceAnswer {
  size_t node = 0;  // index into the nodes passed to RankDevices
  // Seconds per inference (joules for kEnergy). Absent: `reasons` says why.
  std::optional<Estimate> estimate;
  std::optional<bool> fits_memory;   // absent: the device's memory is unknown
  std::vector<std::string> reasons;  // notes for the user
};

// The devices ordered by how well they suit a network.
struct Ranking {
  // Best first; devices that cannot be predicted or do not fit come last.
  std::vector<DeviceAnswer> devices;
  // How many of the first devices cannot be distinguished: their ratio to the
  // best is within the error of such ratios or, if that error is unknown, their
  // intervals overlap that of the best. 1: the first is the best.
  size_t tied = 0;
};

// Thread-safe, since predictors are immutable. Uses the full predictor when the
// question has traits and the counts predictor otherwise.
Ranking RankDevices(const PredictorSet& predictors,
                    const NetworkQuestion& question,
                    const std::vector<ClusterNode>& nodes, Objective objective,
                    Detail detail = Detail::kWords);

}  // namespace mete
