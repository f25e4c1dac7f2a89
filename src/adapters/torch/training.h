// Training a reference network with libtorch. Nothing here shows libtorch.
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

enum class Optimizer { kAdam, kSgd };
Result<Optimizer> ParseOptimizer(std::string_view name);

struct TrainingPlan {
  Architecture architecture;
  Normalisation normalisation = Normalisation::kZeroOne;
  bool augment = true;
  int64_t epochs = 10;
  int64_t middle_epochs = 10;  // of the first phase of autoencoders
  size_t batch = 64;
  Optimizer optimizer = Optimizer::kAdam;
  double momentum = 0.9;  // of kSgd
  double weight_decay = 1e-5;
  Schedule schedule;         // of the first phase
  Schedule second_schedule;  // of the second, of autoencoders
  uint64_t seed = 0;         // weights, order, augmentation, dropout
  int threads = 1;
  std::filesystem::path checkpoint;  // a folder; empty: nothing is kept
  // What was asked for, in one text: only the same may go on from a
  // checkpoint. Of it, `input` is what inference must do alike: data set and
  // normalisation.
  std::string settings;
  std::string input;
};

// What one epoch came to.
struct EpochReport {
  bool reconstructs = false;  // the first phase of an autoencoder
  int64_t epoch = 0;          // from 1
  int64_t epochs = 0;
  double rate = 0;
  double loss = 0;  // mean over training windows
  // Shares of windows; absent while it reconstructs.
  std::optional<double> accuracy;  // of training windows as augmented
  std::optional<double> validation;
  double seconds = 0;
};

struct TrainingResult {
  int64_t best_epoch = 0;     // the earliest of the best, from 1
  double best_accuracy = 0;   // on validation windows
  int64_t resumed_after = 0;  // epochs that a checkpoint had behind it
  Weights best;
};

// Files in the checkpoint folder: last.pt to go on from, best.pt for
// inference. Each replaces the former whole. The same plan gives the same
// weights, whether or not it was broken off.
//
// Fails with kInvalidInput when the checkpoint is of other settings or has more
// epochs behind it, and as the file system does.
Result<TrainingResult> Train(
    const TrainingPlan& plan, const SplitWindows& windows,
    const std::function<void(const EpochReport&)>& tell);

}  // namespace mete
