// A reference network answering, with libtorch. Nothing here shows libtorch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference_networks/architecture.h"
#include "reference_networks/transform.h"
#include "reference_networks/windows.h"

namespace mete {

struct InferencePlan {
  Architecture architecture;
  Normalisation normalisation = Normalisation::kZeroOne;
  size_t batch = 1;
  uint64_t iterations = 100;
  int threads = 1;
  uint64_t seed = 0;                 // of weights without a checkpoint
  std::filesystem::path checkpoint;  // folder with best.pt; empty: untrained
  std::string input;                 // as in TrainingPlan
};

struct InferenceResult {
  std::vector<double> seconds;   // of each timed call, in order
  size_t windows = 0;            // that were seen, each counted once
  double accuracy = 0;           // of them, 0 to 1
  std::optional<int64_t> epoch;  // the checkpoint's best; absent: untrained
};

// A network that was loaded, ready to be run.
class LoadedNetwork {
 public:
  // Fails with kNotFound without a checkpoint there, kInvalidInput when it is
  // of another network.
  static Result<LoadedNetwork> Open(const InferencePlan& plan);
  LoadedNetwork(LoadedNetwork&&) noexcept;
  LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
  ~LoadedNetwork();

  // Warms up, then goes round and round through the windows, a whole batch at a
  // time, until there were so many iterations. Each call is one timer
  // `inference` of the hook.
  Result<InferenceResult> Run(const LabelledWindows& windows);
  // The scores of windows as they are, one row for each.
  Result<std::vector<float>> Scores(const std::vector<float>& samples);

 private:
  struct State;
  explicit LoadedNetwork(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mete
