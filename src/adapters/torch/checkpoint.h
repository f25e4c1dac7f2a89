// Checkpoint files of training, written atomically.
#pragma once

#include "adapters/torch/libtorch.h"  // first

#include <filesystem>

#include "adapters/torch/torch_network.h"
#include "support/result.h"

namespace mete {

// State of training after an epoch. It can only be resumed with the same
// `settings`.
struct TrainingState {
  std::string settings;
  bool reconstructing = false;
  int64_t epochs_done = 0;  // of the current phase
  int64_t best_epoch = 0;   // 0: none yet
  double best_accuracy = -1;
};

// Weights, and what they were trained on.
struct BestNetwork {
  std::string network;
  int64_t classes = 0;
  std::string input;  // data set and normalization
  int64_t epoch = 0;
  double accuracy = 0;
};

std::filesystem::path LastFile(const std::filesystem::path& folder);
std::filesystem::path BestFile(const std::filesystem::path& folder);

Status SaveLast(const std::filesystem::path& folder, const TrainingState& state,
                TorchNetwork& network, torch::optim::Optimizer& optimizer);
// Fails with kInvalidInput when its settings differ, kCorrupt when it cannot be
// read.
Result<TrainingState> ReadState(const std::filesystem::path& folder,
                                const std::string& settings);
Status LoadLast(const std::filesystem::path& folder, TorchNetwork& network,
                torch::optim::Optimizer& optimizer);

Status SaveBest(const std::filesystem::path& folder, const BestNetwork& best,
                TorchNetwork& network);
// Which network is expected. Loading fails with kInvalidInput when the file has
// another network or was trained on other input.
struct BestRequest {
  std::filesystem::path folder;
  const Architecture& architecture;
  std::string input;
};
Result<BestNetwork> LoadBest(const BestRequest& request, TorchNetwork& network);

}  // namespace mete
