// Learns how fast networks run from what was measured: a predictor from
// everything that is known of a network, one from counts alone, and one of
// energy where that was measured.
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

struct TrainPredictorsRequest {
  // A table that ExportTables wrote, compressed or not. Empty: the store.
  std::filesystem::path table;
  std::filesystem::path folder;  // of the predictors
  // File for what was predicted for networks held out. Empty: none.
  std::filesystem::path predictions;
  size_t random_folds = 10;
  size_t network_folds = 60;
  uint64_t seed = 0;
  std::string mete_version;
};

struct TrainDependencies {
  std::function<Result<RunStore*>()> store;  // opened when rows come from it
  Clock& clock;
};

// Called after each fit: "latency", 3 of 71.
using OnTraining =
    std::function<void(const std::string& what, size_t done, size_t of)>;

struct TrainedPredictors {
  // The full predictor, with the validations of the others beside its own.
  Trained full;
  std::vector<std::filesystem::path> saved;  // in the order they were written
  // Why energy was not learnt although it was measured; else empty.
  std::string warning;
};

// Replaces the predictors in the folder. Fails as TrainLatency does; few
// measurements of energy only cost the predictor of energy.
Result<TrainedPredictors> TrainPredictors(const TrainPredictorsRequest& request,
                                          const TrainDependencies& needs,
                                          const OnTraining& on_progress,
                                          std::stop_token stop);

}  // namespace mete
