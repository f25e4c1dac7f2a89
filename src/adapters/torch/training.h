// Training of a reference network with libtorch, without exposing libtorch.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "reference_networks/architecture.h"
#include "reference_networks/schedule.h"
#include "reference_networks/trained_network.h"
#include "reference_networks/transform.h"
#include "reference_networks/windows.h"

namespace mete {

// Supported optimizers.
enum class Optimizer { kAdam, kSgd };
Result<Optimizer> ParseOptimizer(std::string_view name);

// Everything that defines a training.
struct TrainingPlan {
  Architecture architecture;
  Normalisation normalisation = Normalisation::kZeroOne;
  bool augment = true;
  int64_t epochs = 10;
  int64_t middle_epochs = 10;  // first phase of autoencoders
  size_t batch = 64;
  Optimizer optimizer = Optimizer::kAdam;
  double momentum = 0.9;  // of kSgd
  double weight_decay = 1e-5;
  Schedule schedule;         // of the first phase
  Schedule second_schedule;  // second phase of autoencoders
  uint64_t seed = 0;         // weights, order, augmentation, dropout
  int threads = 1;
  std::filesystem::path checkpoint;  // a folder; empty: no checkpoints
  bool fresh = false;                // do not resume; replace the checkpoint
  // The request as one text: a checkpoint can only be resumed with the same
  // text. `input` is the part that inference must share: data set and
  // normalization.
  std::string settings;
  std::string input;
};

// Results of one epoch.
struct EpochReport {
  bool reconstructs = false;  // the first phase of an autoencoder
  int64_t epoch = 0;          // from 1
  int64_t epochs = 0;
  double rate = 0;
  double loss = 0;  // mean over training windows
  // Shares of windows; absent during reconstruction.
  std::optional<double> accuracy;  // on augmented training windows
  std::optional<double> validation;
  double seconds = 0;
};

// Results of a training.
struct TrainingResult {
  int64_t best_epoch = 0;     // the earliest of the best, from 1
  double best_accuracy = 0;   // on validation windows
  int64_t resumed_after = 0;  // epochs done before the checkpoint was loaded
  Weights best;
};

// The checkpoint folder has last.pt for resuming and best.pt for inference,
// both replaced atomically. The same plan gives the same weights, interrupted
// or not.
//
// Fails with kInvalidInput when the checkpoint has other settings or more
// epochs, and with errors of the file system.
Result<TrainingResult> Train(
    const TrainingPlan& plan, const SplitWindows& windows,
    const std::function<void(const EpochReport&)>& on_epoch);

}  // namespace mete
