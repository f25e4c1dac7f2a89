// mete train latency: trains a predictor from measured runs and reports its
// error on networks and devices it has not seen.
#pragma once

#include <filesystem>

#include "cli/verb.h"
#include "train/train_predictors.h"

namespace mete {

// Dependencies of `mete train`, borrowed while the command runs.
struct TrainCommandDependencies {
  TrainDependencies training;
  std::filesystem::path folder;  // default folder of the predictors
};

void AddTrainCommand(Command root, Verbs& verbs,
                     Lazy<TrainCommandDependencies> dependencies);

}  // namespace mete
