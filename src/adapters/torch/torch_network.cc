#include "adapters/torch/torch_network.h"

namespace mete {
namespace {

namespace nn = torch::nn;

nn::Sequential MakeModule(const Layers& layers);

// {batch, channels, steps} in, {batch, steps, 2 hidden} out.
class StepsImpl : public nn::Module {
 public:
  explicit StepsImpl(const LstmLayer& layer)
      : lstm_(register_module("lstm",
                              nn::LSTM(nn::LSTMOptions(layer.in, layer.hidden)
                                           .num_layers(layer.layers)
                                           .bidirectional(true)
                                           .batch_first(true)
                                           .bias(false)))) {}

  torch::Tensor forward(const torch::Tensor& x) {
    return std::get<0>(lstm_->forward(x.transpose(1, 2).contiguous()));
  }

 private:
  nn::LSTM lstm_;
};
TORCH_MODULE(Steps);

class ResidualImpl : public nn::Module {
 public:
  explicit ResidualImpl(const ResidualLayer& layer)
      : body_(register_module("body", MakeModule(layer.body))) {
    if (!layer.shortcut.empty()) {
      shortcut_ = register_module("shortcut", MakeModule(layer.shortcut));
    }
  }

  torch::Tensor forward(const torch::Tensor& x) {
    torch::Tensor y = body_->forward(x);
    y += shortcut_.is_empty() ? x : shortcut_->forward(x);
    return y.relu_();
  }

 private:
  nn::Sequential body_;
  nn::Sequential shortcut_{nullptr};
};
TORCH_MODULE(Residual);

// Appends the module of one layer.
struct Appender {
  nn::Sequential& to;

  void operator()(const ConvLayer& c) const {
    to->push_back(nn::Conv1d(nn::Conv1dOptions(c.in, c.out, c.kernel)
                                 .stride(c.stride)
                                 .padding(c.padding)
                                 .bias(c.bias)));
  }
  void operator()(const NormLayer& n) const {
    to->push_back(nn::BatchNorm1d(n.channels));
  }
  void operator()(const LinearLayer& l) const {
    to->push_back(nn::Linear(l.in, l.out));
  }
  void operator()(const ReluLayer&) const {
    to->push_back(nn::ReLU(nn::ReLUOptions(/*inplace=*/true)));
  }
  void operator()(const TanhLayer&) const { to->push_back(nn::Tanh()); }
  void operator()(const DropoutLayer&) const {
    to->push_back(nn::Dropout(0.5));
  }
  void operator()(const FlattenLayer&) const { to->push_back(nn::Flatten()); }
  void operator()(const MaxPoolLayer& p) const {
    to->push_back(nn::MaxPool1d(
        nn::MaxPool1dOptions(p.kernel).stride(p.stride).padding(p.padding)));
  }
  void operator()(const AdaptiveMaxLayer& p) const {
    to->push_back(nn::AdaptiveMaxPool1d(p.size));
  }
  void operator()(const AdaptiveMeanLayer& p) const {
    to->push_back(nn::AdaptiveAvgPool1d(p.size));
  }
  void operator()(const LstmLayer& l) const { to->push_back(Steps(l)); }
  void operator()(const ResidualLayer& r) const { to->push_back(Residual(r)); }
};

nn::Sequential MakeModule(const Layers& layers) {
  nn::Sequential sequence;
  for (const Layer& layer : layers) std::visit(Appender{sequence}, layer.kind);
  return sequence;
}

// He et al. 2015, equation 14: normal, by the fan-out.
void StartResidual(nn::Module& network) {
  for (auto& module : network.modules(/*include_self=*/false)) {
    if (auto* conv = module->as<nn::Conv1d>()) {
      nn::init::kaiming_normal_(conv->weight, 0, torch::kFanOut, torch::kReLU);
    }
  }
}

torch::Tensor Through(nn::Sequential& part, const torch::Tensor& x) {
  return part->is_empty() ? x : part->forward(x);
}

void Append(std::vector<torch::Tensor>& to, const nn::Sequential& part) {
  for (const torch::Tensor& parameter : part->parameters()) {
    to.push_back(parameter);
  }
}

}  // namespace

TorchNetworkImpl::TorchNetworkImpl(const Architecture& architecture)
    : encoder_(register_module("encoder", MakeModule(architecture.encoder))),
      classifier_(
          register_module("classifier", MakeModule(architecture.classifier))),
      decoder_(register_module("decoder", MakeModule(architecture.decoder))),
      idle_encoder_(register_module("idle_encoder",
                                    MakeModule(architecture.idle_encoder))),
      idle_decoder_(register_module("idle_decoder",
                                    MakeModule(architecture.idle_decoder))),
      sparse_(architecture.sparse) {
  if (architecture.residual_start) StartResidual(*this);
}

torch::Tensor TorchNetworkImpl::Encode(const torch::Tensor& windows) {
  return Through(encoder_, windows);
}

torch::Tensor TorchNetworkImpl::Classify(const torch::Tensor& windows) {
  return Through(classifier_, Encode(windows));
}

torch::Tensor TorchNetworkImpl::Decode(const torch::Tensor& latents) {
  return Through(decoder_, latents);
}

torch::Tensor TorchNetworkImpl::ReconstructionLoss(
    const torch::Tensor& windows) {
  torch::Tensor latents = Encode(windows);
  torch::Tensor loss = torch::mse_loss(Decode(latents), windows.flatten(1));
  return sparse_ ? loss + ComputeSparseness(latents) : loss;
}

torch::Tensor ComputeSparseness(const torch::Tensor& latents) {
  torch::Tensor p = torch::sigmoid(latents).mean(1);
  return -0.5 * ((2 * p).log() + (2 * (1 - p)).log()).sum();
}

std::vector<torch::Tensor> TorchNetworkImpl::ClassifierParameters() const {
  std::vector<torch::Tensor> parameters;
  Append(parameters, encoder_);
  Append(parameters, classifier_);
  return parameters;
}

std::vector<torch::Tensor> TorchNetworkImpl::AutoencoderParameters() const {
  std::vector<torch::Tensor> parameters;
  Append(parameters, encoder_);
  Append(parameters, decoder_);
  return parameters;
}

Weights TorchNetworkImpl::Trained() const {
  Weights weights;
  auto keep = [&](const std::string& name, const torch::Tensor& tensor) {
    if (tensor.scalar_type() != torch::kFloat32) return;
    torch::Tensor flat = tensor.detach().contiguous();
    const float* first = flat.data_ptr<float>();
    weights[name].assign(first, first + flat.numel());
  };
  for (const auto& item : named_parameters()) keep(item.key(), item.value());
  for (const auto& item : named_buffers()) keep(item.key(), item.value());
  return weights;
}

}  // namespace mete
