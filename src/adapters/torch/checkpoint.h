// Checkpoint files of training: written whole or not at all.
#pragma once

#include "adapters/torch/libtorch.h"  // first

#include <filesystem>

#include "adapters/torch/torch_network.h"
#include "support/result.h"

namespace mete {

// Where training stood after an epoch. `settings` must be the same to go on.
struct TrainingState {
  std::string settings;
  bool reconstructing = false;
  int64_t epochs_done = 0;  // of the phase
  int64_t best_epoch = 0;   // 0: none yet
  double best_accuracy = -1;
};

// The weights as they are, and what they were trained on.
struct BestNetwork {
  std::string network;
  int64_t classes = 0;
  std::string input;  // data set and normalisation
  int64_t epoch = 0;
  double accuracy = 0;
};

std::filesystem::path LastFile(const std::filesystem::path& folder);
std::filesystem::path BestFile(const std::filesystem::path& folder);

Status SaveLast(const std::filesystem::path& folder, const TrainingState& state,
                TorchNetwork& network, torch::optim::Optimizer& optimizer);
// Fails with kInvalidInput when its settings are others, kCorrupt when it
// cannot be read.
Result<TrainingState> ReadState(const std::filesystem::path& folder,
                                const std::string& settings);
Status LoadLast(const std::filesystem::path& folder, TorchNetwork& network,
                torch::optim::Optimizer& optimizer);

Status SaveBest(const std::filesystem::path& folder, const BestNetwork& best,
                TorchNetwork& network);
// Fails with kInvalidInput when it is another network's or was trained on other
// input.
struct BestRequest {
  std::filesystem::path folder;
  const Architecture& architecture;
  std::string input;
};
Result<BestNetwork> LoadBest(const BestRequest& request, TorchNetwork& network);

}  // namespace mete
