// A reference network answering, with libtorch. Nothing here shows libtorch.
#pragma once

#include <filesystem>
#include <optional>

#include "bearing/architecture.h"
#include "bearing/transform.h"
#include "bearing/windows.h"

namespace mete {

struct InferencePlan {
  Architecture architecture;
  Normalisation normalisation = Normalisation::kZeroOne;
  size_t batch = 1;
  uint64_t iterations = 100;
  int threads = 1;
  uint64_t seed = 0;                 // of weights without a checkpoint
  std::filesystem::path checkpoint;  // folder with best.pt; empty: untrained
};

struct InferenceResult {
  std::vector<double> seconds;   // of each timed call, in order
  double accuracy = 0;           // 0 to 1, of every window once
  std::optional<int64_t> epoch;  // the checkpoint's best; absent: untrained
};

// A network that was loaded and warmed up, ready to be timed.
class LoadedNetwork {
 public:
  // Fails with kNotFound without a checkpoint there, kInvalidInput when it is
  // of another network.
  static Result<LoadedNetwork> Open(const InferencePlan& plan);
  LoadedNetwork(LoadedNetwork&&) noexcept;
  LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
  ~LoadedNetwork();

  // Goes through the windows in batches until there were so many iterations.
  // Each call is one timer `inference` of the hook.
  Result<InferenceResult> Run(const LabelledWindows& windows);
  // The scores of windows as they are, one row for each.
  Result<std::vector<float>> Scores(const std::vector<float>& samples);

 private:
  struct State;
  explicit LoadedNetwork(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mete
