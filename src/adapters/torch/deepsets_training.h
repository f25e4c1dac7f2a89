// Trains NeuRO's network with libtorch, without exposing libtorch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "contention/deepsets_points.h"
#include "contention/deepsets_predictor.h"

namespace mete {

// What defines a training. The defaults are those of NeuRO.
struct DeepSetsTraining {
  size_t applications = 0;
  int64_t epochs = 10;
  int64_t batch = 16;
  double rate = 1e-3;          // of Adam
  double largest_norm = 1;     // of a gradient
  double counter_share = 0.1;  // of the loss; times 0.9 for every epoch
  uint64_t seed = 1;
  // Changes the network that training starts from: a warm start.
  std::function<Result<DeepSetsNetwork>(const DeepSetsNetwork& fresh)> start{};
};

// Minimises the mean squared error of the scaled times, and of the scaled
// counters where they were counted. The same points and seed give the same
// weights. Fails with kInvalidInput without points.
Result<ScaledDeepSets> TrainDeepSets(std::span<const DeepSetsPoint> points,
                                     const DeepSetsTraining& training);

}  // namespace mete
