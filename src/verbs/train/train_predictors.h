// Trains predictors from measured runs: one from all properties of a network,
// one from counts alone, and one of energy if energy was measured.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "ports/run_store.h"
#include "predict/train_latency.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Where the rows come from, where the predictors go and how to validate.
struct TrainPredictorsRequest {
  // A table written by ExportTables, compressed or not. Empty: use the store.
  std::filesystem::path table;
  std::filesystem::path folder;  // folder of the predictors
  // File for the predictions of held-out networks. Empty: none.
  std::filesystem::path predictions;
  size_t random_folds = 10;
  size_t network_folds = 60;
  uint64_t seed = 0;
  std::string mete_version;
};

// Ports that training needs.
struct TrainDependencies {
  // opened only if rows are read from it
  std::function<Result<RunStore*>()> store;
  Clock& clock;
};

// Called after each fit: "latency", 3 of 71.
using OnTraining =
    std::function<void(const std::string& what, size_t done, size_t of)>;

// The result of training.
struct TrainedPredictors {
  // The full predictor. Includes the validations of the other predictors.
  Trained full;
  std::vector<std::filesystem::path> saved;  // in the order of writing
  // Why there is no energy predictor although energy was measured. Else empty.
  std::string warning;
};

// Replaces the predictors in the folder. Fails as TrainLatency does. With too
// few energy measurements it skips only the energy predictor.
Result<TrainedPredictors> TrainPredictors(const TrainPredictorsRequest& request,
                                          const TrainDependencies& needs,
                                          const OnTraining& on_progress,
                                          std::stop_token stop);

}  // namespace mete
