// mete train latency: learns how fast networks run from what was measured, and
// says how good it is on networks and devices it has not seen.
#pragma once

#include <filesystem>

#include "cli/verb.h"
#include "train/train_predictors.h"

namespace mete {

struct TrainCommandDependencies {
  TrainDependencies training;
  std::filesystem::path folder;  // of the predictors unless one is named
};

void AddTrainCommand(Command root, Verbs& verbs,
                     Lazy<TrainCommandDependencies> dependencies);

}  // namespace mete
