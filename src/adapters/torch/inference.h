// Inference of a reference network with libtorch, without exposing libtorch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference_networks/architecture.h"
#include "reference_networks/transform.h"
#include "reference_networks/windows.h"
#include "support/units.h"

namespace mete {

// What to run, and how.
struct InferencePlan {
  Architecture architecture;
  Normalisation normalisation = Normalisation::kZeroOne;
  size_t batch = 1;
  uint64_t iterations = 100;  // at least
  Seconds duration{0};        // the least time of all timed iterations
  int threads = 1;
  uint64_t seed = 0;                 // for weights without a checkpoint
  std::filesystem::path checkpoint;  // folder with best.pt; empty: untrained
  std::string input;                 // as in TrainingPlan
};

// Times and accuracy of a run.
struct InferenceResult {
  std::vector<double> seconds;   // of each timed call, in order
  size_t windows = 0;            // distinct windows that were classified
  double accuracy = 0;           // on these windows, 0 to 1
  std::optional<int64_t> epoch;  // the checkpoint's best; absent: untrained
};

// A loaded network, ready to run.
class LoadedNetwork {
 public:
  // Fails with kNotFound when there is no checkpoint, kInvalidInput when it
  // belongs to another network.
  static Result<LoadedNetwork> Open(const InferencePlan& plan);
  LoadedNetwork(LoadedNetwork&&) noexcept;
  LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
  ~LoadedNetwork();

  // Warms up, then cycles through the windows, a whole batch at a time, for the
  // requested number of iterations. Each call is one timer `inference` of the
  // hook.
  Result<InferenceResult> Run(const LabelledWindows& windows);
  // The scores of windows without preparation, one row per window.
  Result<std::vector<float>> Scores(const std::vector<float>& samples);

 private:
  struct State;
  explicit LoadedNetwork(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mete
