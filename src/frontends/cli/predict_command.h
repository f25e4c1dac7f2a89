// mete predict: predicts where networks run fastest, and what services see side
// by side, without running them.
#pragma once

#include <filesystem>
#include <functional>

#include "cli/verb.h"
#include "collect/collect.h"
#include "collect/inspect_machine.h"
#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "predict/latency_predictor.h"

namespace mete {

// Dependencies of `mete predict`. The reader is borrowed while the command
// runs; the rest is opened when needed.
struct PredictCommandDependencies {
  GraphReader& reader;
  std::function<Result<PredictorSet>()> predictors;
  std::function<Result<NodeSource*>()> nodes;
  MachineDependencies machine;     // also for --check
  std::filesystem::path folder{};  // of the predictors, for --together
};

void AddPredictCommand(Command root, Verbs& verbs,
                       Lazy<PredictCommandDependencies> dependencies);

}  // namespace mete
