// The reference networks as libtorch modules. The only header that shows
// libtorch; its users are this folder's own files.
#pragma once

#include "adapters/torch/libtorch.h"  // first

#include "bearing/architecture.h"
#include "bearing/trained_network.h"

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
};
TORCH_MODULE(TorchNetwork);

}  // namespace mete
