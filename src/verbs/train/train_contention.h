// Trains predictors of contention from a table of measured mixes, compares them
// on held-out mixes and keeps the best one.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "contention/comparison.h"
#include "contention/predictor_document.h"
#include "contention/pressure_training.h"
#include "measure/torch_program.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Names of the methods: "pressure", "deepsets", "deepsets-long", "perx",
// "scaloran", "scaloran-sum", "agnostic". deepsets-long is deepsets with
// kLongEpochs instead of the published 10.
const std::vector<std::string>& ContentionMethods();
inline constexpr int64_t kShortEpochs = 10;
inline constexpr int64_t kLongEpochs = 300;

// What to train with and how.
struct TrainContentionRequest {
  std::filesystem::path table;   // of mete contend --export-table
  std::filesystem::path folder;  // folder of the predictors
  std::string device;            // empty: the only one of the table
  std::vector<std::string> methods;
  double held_out = 0.3;  // share of the random and active mixes
  uint64_t seed = 1;
  // A predictor of deepsets to start from, for a table with more applications.
  std::filesystem::path warm_start;
  PressureTrainingRequest pressure{};  // its seed is replaced by `seed`
  std::string mete_version;
};

// Ports that training needs.
struct TrainContentionDependencies {
  Clock& clock;
  TorchPlaces torch;  // for deepsets
};

// What was trained.
struct TrainedContention {
  ContentionComparison comparison;
  ContentionDocument document;  // the best method, trained with all mixes
  std::filesystem::path saved;
  // Methods that were left out, and why. Never all of them.
  std::vector<std::string> warnings;
};

// Called with the method that is being trained.
using OnContentionTraining = std::function<void(const std::string& method)>;

// Trains every method without the held-out mixes, compares them, trains the
// best one with all mixes and saves it. Without mete-torch, leaves deepsets out
// unless it is the only method. Fails with kInvalidInput when the table does
// not suffice or has several devices, and with kInterrupted.
Result<TrainedContention> TrainContention(
    const TrainContentionRequest& request,
    const TrainContentionDependencies& needs,
    const OnContentionTraining& on_training, std::stop_token stop);

}  // namespace mete
