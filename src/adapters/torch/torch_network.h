// The reference networks as libtorch modules. Exposes libtorch: only files of
// this folder include it.
#pragma once

#include "adapters/torch/libtorch.h"  // first

#include "reference_networks/architecture.h"
#include "reference_networks/trained_network.h"

namespace mete {

// A network. Parameters are initialized like in PyTorch, from
// torch::manual_seed. Their names are the paths of trained_network.h.
class TorchNetworkImpl : public torch::nn::Module {
 public:
  explicit TorchNetworkImpl(const Architecture& architecture);

  // The input is windows {batch, 1, 1024}.
  torch::Tensor Encode(const torch::Tensor& windows);    // latents
  torch::Tensor Classify(const torch::Tensor& windows);  // scores
  // From latents to {batch, 1024}. Autoencoders only.
  torch::Tensor Decode(const torch::Tensor& latents);

  // Mean squared error of the reconstructed windows, plus ComputeSparseness the
  // latents in a sparse network.
  torch::Tensor ReconstructionLoss(const torch::Tensor& windows);

  // The parameters that each phase of training changes.
  std::vector<torch::Tensor> ClassifierParameters() const;
  std::vector<torch::Tensor> AutoencoderParameters() const;

  // Copies, including the running statistics of normalizations.
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

// Kullback-Leibler divergence of each window's mean activation p from one half,
// summed over the batch: 0.5 ln(0.5 / p) + 0.5 ln(0.5 / (1 - p)).
torch::Tensor ComputeSparseness(const torch::Tensor& latents);

}  // namespace mete
