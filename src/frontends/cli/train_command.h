// mete train latency, mete train contention: train predictors from measured
// runs and mixes, and report their errors on what they have not seen.
#pragma once

#include <filesystem>

#include "cli/verb.h"
#include "measure/torch_program.h"
#include "train/train_predictors.h"

namespace mete {

// Dependencies of `mete train`, borrowed while the command runs.
struct TrainCommandDependencies {
  TrainDependencies training;
  std::filesystem::path folder;  // default folder of the predictors
  TorchPlaces torch;             // for NeuRO's network
};

void AddTrainCommand(Command root, Verbs& verbs,
                     Lazy<TrainCommandDependencies> dependencies);

// Adds `contention` to `train`; AddTrainCommand calls it.
void AddTrainContention(Command train, Verbs& verbs,
                        Lazy<TrainCommandDependencies> dependencies);

}  // namespace mete
