// The reference networks as libtorch modules. It shows libtorch: only files of
// this folder include it.
#pragma once

#include "adapters/torch/libtorch.h"  // first

#include "reference_networks/architecture.h"
#include "reference_networks/trained_network.h"

namespace mete {

// Parameters start as PyTorch's do, from torch::manual_seed. Their names are
// the paths of trained_network.h.
class TorchNetworkImpl : public torch::nn::Module {
 public:
  explicit TorchNetworkImpl(const Architecture& architecture);

  // Windows {batch, 1, 1024} in.
  torch::Tensor Encode(const torch::Tensor& windows);    // latents
  torch::Tensor Classify(const torch::Tensor& windows);  // scores
  // Of latents; {batch, 1024} out. Autoencoders alone.
  torch::Tensor Decode(const torch::Tensor& latents);

  // Mean square of what the decoder makes of the windows and, of a sparse
  // network, SparsenessOf its latents.
  torch::Tensor ReconstructionLoss(const torch::Tensor& windows);

  // What each phase of training changes.
  std::vector<torch::Tensor> ClassifierParameters() const;
  std::vector<torch::Tensor> AutoencoderParameters() const;

  // Copies, with the statistics of normalisations.
  Weights Trained() const;

 private:
  torch::nn::Sequential encoder_;
  torch::nn::Sequential classifier_;
  torch::nn::Sequential decoder_;
  torch::nn::Sequential idle_encoder_;
  torch::nn::Sequential idle_decoder_;
  bool sparse_;
};
TORCH_MODULE(TorchNetwork);

// Kullback and Leibler's distance of each window's mean activation p from one
// half, summed over the batch: 0.5 ln(0.5 / p) + 0.5 ln(0.5 / (1 - p)).
torch::Tensor SparsenessOf(const torch::Tensor& latents);

}  // namespace mete
