// mete predict: predicts where networks run fastest, without running them.
#pragma once

#include <functional>

#include "cli/verb.h"
#include "collect/collect.h"
#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "predict/latency_predictor.h"

namespace mete {

// Dependencies of `mete predict`. The reader is borrowed while the command
// runs; the rest is opened when needed.
struct PredictCommandDependencies {
  GraphReader& reader;
  std::function<Result<PredictorSet>()> predictors;
  // Adds this machine to the nodes. Empty if Prometheus lists them.
  std::function<Result<Device>()> register_this_device;
  std::function<Result<NodeSource*>()> nodes;
  Lazy<CollectDependencies> collecting;  // to measure this machine
};

void AddPredictCommand(Command root, Verbs& verbs,
                       Lazy<PredictCommandDependencies> dependencies);

}  // namespace mete
