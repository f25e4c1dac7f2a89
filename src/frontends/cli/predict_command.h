// mete predict: where networks are expected to run fastest, without running
// them.
#pragma once

#include <functional>

#include "cli/verb.h"
#include "collect/collect.h"
#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "predict/latency_predictor.h"

namespace mete {

// The reader is borrowed while the command runs; the rest is opened when it is
// needed.
struct PredictCommandDependencies {
  GraphReader& reader;
  std::function<Result<PredictorSet>()> predictors;
  // Makes this machine one of the nodes. Empty where a Prometheus lists them.
  std::function<Status()> register_this_device;
  std::function<Result<NodeSource*>()> nodes;
  Lazy<CollectDependencies> collecting;  // of --check
};

void AddPredictCommand(Command root, Verbs& verbs,
                       Lazy<PredictCommandDependencies> dependencies);

}  // namespace mete
